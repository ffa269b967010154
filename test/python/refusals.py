# SPDX-License-Identifier: MIT
"""Calls that must end in an exception that says why."""
from tap import ok


def refused(kind, words, what, function, *args, **keywords):
    try:
        got = function(*args, **keywords)
    except kind as reason:
        ok(words in str(reason), "%s: %s" % (what, type(reason).__name__), "'%s' does not say '%s'" % (reason, words))
    except Exception as reason:  # whatever it is, it is the wrong one
        ok(False, what, "%s: %s" % (type(reason).__name__, reason))
    else:
        ok(False, what, "no exception, but %r" % (got,))
