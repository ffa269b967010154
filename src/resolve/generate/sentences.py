# SPDX-License-Identifier: MIT
"""Sentences about a kernel, made from its rows in the tables: sizes, strides, aliases, bits and bounds."""
import re


def words_of(kernel):
    """The types in a kernel's name, as they are written there."""
    return "" if kernel.name == kernel.op else kernel.name[len(kernel.op) + 1:]


def listed(names, word="and"):
    return names[0] if len(names) == 1 else "%s %s %s" % (", ".join(names[:-1]), word, names[-1])


def grouped(pairs):
    """(key, list of its values) for each key, in the order in which the keys first occur."""
    groups = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups.items()


def sizes(shape):
    arrays = [(" × ".join(size for size, _ in a.extents), a.name) for a in shape.arguments if a.extents and not a.packed]
    parts = ["%s %s %s elements" % (listed(names), "has" if len(names) == 1 else "have", extent) for extent, names in grouped(arrays)]
    return [", ".join(parts) + "."] if parts else []


def strides(shape):
    """A sentence for each kind of distance: between elements, rows or matrices."""
    found = []
    for a in shape.arguments:
        for i, (_, stride) in enumerate(a.extents):
            if stride:
                unit = "elements" if len(a.extents) == 1 else "matrices" if i < len(a.extents) - 2 else "rows"
                found.append((unit, (stride, a.name)))
    sentences = []
    for unit, some in grouped(found):
        (stride, names), *others = grouped(some)
        first = "%s of %s are %s elements apart" % (unit.capitalize(), listed(names), stride)
        sentences.append(", ".join([first] + ["%s of %s %s" % (unit, listed(names), stride) for stride, names in others]) + ".")
    return sentences


def pitches(a):
    return [stride for _, stride in a.extents if stride]


def aliases(shape):
    by_name = {a.name: a for a in shape.arguments}
    sentences = ["%s %s read and written." % (listed(names), "is" if len(names) == 1 else "are")
                 for names in [[a.name for a in shape.arguments if a.inout]] if names]
    for a in shape.arguments:
        if a.may_be:
            same = ["%s = %s" % pair for other in a.may_be for pair in zip(pitches(a), pitches(by_name[other])) if pair[0] != pair[1]]
            alike = " if " + listed(same) if len(a.may_be) == 1 and same else ", which then has the same stride" if same else ""
            sentences.append("%s may be %s%s." % (a.name, listed(a.may_be, "or"), alike))
    null = [a.name for a in shape.arguments if a.null]
    return sentences + (["%s may be NULL." % listed(null)] if null else [])


def integers(shape):
    """Sentences about the integers that the call checks."""
    sentences = ["Each element of %s must be at least 0 and below %s; otherwise the call returns ISK_ERR_INDEX and writes nothing."
                 % (a.name, a.below) for a in shape.arguments if a.below]
    sentences += ["%s must be below %d; otherwise the call returns ISK_ERR_SHAPE and writes nothing." % (a.name, a.limit)
                  for a in shape.arguments if a.limit]
    return sentences + ["The elements of %s must be at least 0 and at most %s, and none less than the one before; otherwise the call "
                        "returns ISK_ERR_INDEX and writes nothing." % (a.name, a.ascending) for a in shape.arguments if a.ascending]


def turned(shape):
    return ["If %s %s, %s is stored transposed." % (a.turned[0], "has the bit %d" % a.turned[1] if a.turned[1] else "is not 0", a.name)
            for a in shape.arguments if a.turned]


def half_bytes(library, kernel):
    """A sentence about the strides of arrays whose elements share bytes; such strides are even."""
    found = [(library.types.get(kernel.types.get(a.type, a.type)), s) for a in kernel.shape.arguments for s in pitches(a)]
    return ["%s must be even, because two elements of %s share a byte." % (listed(strides), name)
            for name, strides in grouped((t.name, s) for t, s in found if t and t.shares_byte)]


def of_arguments(library, kernel):
    shape = kernel.shape
    return sizes(shape) + strides(shape) + half_bytes(library, kernel) + turned(shape) + aliases(shape) + integers(shape)


BITS = {"same": "The same bits at every ISA with fused multiply-add: on x86-64 from avx2 up, and on every AArch64.",
        "same-amx": "The same bits at every ISA with fused multiply-add (on x86-64 from avx2 up, and on every AArch64), except amx, "
                    "which keeps the bound.",
        "bound": "The bits may differ from ISA to ISA; the bound holds at each."}


def is_rounded(library, kernel):
    """Whether an output or the result is a float."""
    outs = [kernel.types.get(a.type, a.type) for a in kernel.shape.arguments if a.role == "out" and not a.packed]
    outs += [kernel.types[kernel.shape.result]] if kernel.shape.result in kernel.types else []
    return any(library.types[t].is_float for t in outs)


def bounded(library, kernel, entry, bound):
    """The sentence about a bound of the row: a number, or "exact"."""
    if bound != "exact":
        return entry.error_of(kernel, bound)
    usual = "The exact result, correctly rounded if its type cannot represent it." if is_rounded(library, kernel) else "The result is exact."
    return entry.exact_of(kernel) or usual


def lower(sentence):
    """The sentence with a small first letter, for use inside another one."""
    return re.sub(r"^[A-Z](?=[a-z])", lambda first: first[0].lower(), sentence)


def errors(library, kernel, entry):
    """Sentences about the error bounds."""
    found = [bounded(library, kernel, entry, kernel.error)]
    if kernel.error != kernel.baseline:
        found.append("At baseline, which has no fused multiply-add: " + lower(bounded(library, kernel, entry, kernel.baseline)))
    return found


def promise(library, k, entry=None):
    """Bound, bits and version in one line. Without a contract (entry), the bound is a number without a unit."""
    words = []
    if k.shape.result != "size" or k.shape.arguments:
        bound = "error " + k.error
        if entry:
            bound = lower(bounded(library, k, entry, k.error).rstrip("."))
        words.append(bound + (", at baseline %s" % k.baseline if k.error != k.baseline else ""))
    words += {"same": ["same bits"], "same-amx": ["same bits but for amx"], "bound": []}[k.bits]
    first, *others = words + ["since " + k.since]
    return ". ".join([first] + [w.capitalize() for w in others]) if entry else "; ".join([first] + others)


def promises(library, entry, kernels):
    """The promises of several kernels. Types with the same promise share a line."""
    groups = list(grouped((promise(library, k, entry), words_of(k)) for k in kernels))
    return [told[0].upper() + told[1:] + "." if len(groups) == 1 else "%s: %s." % (", ".join(types), told)
            for told, types in groups]
