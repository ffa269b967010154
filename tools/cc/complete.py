# SPDX-License-Identifier: MIT
"""isakern-cc complete WORD...: the words that may stand in place of the last one, as `isakern complete` answers for the same
scripts of bash, zsh and fish. A line is a word, a tab and its description; the line FILE stands for the names of files."""
import tables


def values(action, begun):
    """The values of an option, or of an argument, that the last word has begun."""
    if action.choices:
        return action.choices
    if action.metavar == "LIST":
        chosen = begun.split(",")[:-1]
        names = ["all", *tables.read_isas(tables.isa_table())]
        return [",".join([*chosen, name]) for name in names if name not in chosen]
    return ["FILE"] if "." in action.metavar else []


def takes_value(action):
    return action.nargs != 0


def answers(parser, words):
    """Pairs of a word and its description."""
    *before, last = words or [""]
    actions = parser._actions  # pylint: disable=protected-access
    named = {name: action for action in actions for name in action.option_strings}
    option, equals, begun = last.partition("=")
    if before and before[-1] in named and takes_value(named[before[-1]]):
        action, kept, begun = named[before[-1]], "", last
    elif equals and option in named:
        action, kept = named[option], option + equals
    elif last.startswith("-"):
        return [(name + "=" * (takes_value(action) and name.startswith("--")), action.help)
                for name, action in named.items() if name.startswith(last)]
    else:
        return [("FILE", "")]
    found = values(action, begun)
    return [("FILE", "")] if found == ["FILE"] else [(kept + value, "") for value in found if value.startswith(begun)]


def complete(parser, words):
    for word, about in answers(parser, words):
        print(word if word == "FILE" else "%s\t%s" % (word, about))
