# SPDX-License-Identifier: MIT
"""Calls that must raise an exception with a reason."""
from tap import ok


def refused(kind, words, what, function, *args, **keywords):
    try:
        got = function(*args, **keywords)
    except kind as reason:
        ok(words in str(reason), "%s: %s" % (what, type(reason).__name__), "'%s' does not say '%s'" % (reason, words))
    except Exception as reason:  # any other exception is wrong
        ok(False, what, "%s: %s" % (type(reason).__name__, reason))
    else:
        ok(False, what, "no exception, but %r" % (got,))
