# SPDX-License-Identifier: MIT
"""The CPUs of cpus.tbl, and the ISAs that each can run: computed from the flags of x86_64.tbl with the bits in the makers'
manuals, independently of x86_64.def and detect.c."""
import os

from kit import FEATURES, HERE, ISAS

TABLE = os.path.join(HERE, "cpus.tbl")
COLUMNS = "max 1.eax 1.ecx 1.edx 7.ebx 7.ecx 7.edx 7_1.eax 7_1.edx xcr0 80000001.ecx".split()
# By the compiler's names, including features that no row has yet.
BITS = {
    "1.ecx": {"sse3": 0, "ssse3": 9, "fma": 12, "sse4.1": 19, "sse4.2": 20, "movbe": 22, "popcnt": 23, "aes": 25,
              "osxsave": 27, "avx": 28, "f16c": 29},
    "7.ebx": {"bmi": 3, "avx2": 5, "bmi2": 8, "avx512f": 16, "avx512dq": 17, "avx512ifma": 21, "avx512cd": 28,
              "sha": 29, "avx512bw": 30, "avx512vl": 31},
    "7.ecx": {"avx512vbmi": 1, "avx512vbmi2": 6, "gfni": 8, "vaes": 9, "vpclmulqdq": 10, "avx512vnni": 11,
              "avx512bitalg": 12, "avx512vpopcntdq": 14},
    "7.edx": {"avx512vp2intersect": 8, "amx-bf16": 22, "avx512fp16": 23, "amx-tile": 24, "amx-int8": 25},
    "7_1.eax": {"avxvnni": 4, "avx512bf16": 5, "amx-fp16": 21, "avxifma": 23},
    "7_1.edx": {"avxvnniint8": 4, "avxneconvert": 5, "amx-complex": 8, "avxvnniint16": 10},
    "80000001.ecx": {"lzcnt": 5},
}
WHERE = {feature: (column, bit) for column, bits in BITS.items() for feature, bit in bits.items()}


def state(features):
    """The bits of XCR0 that the OS must set before programs may use any of these features."""
    bits = 0
    for f in features:
        if f.startswith("amx"):
            bits |= 0x60000
        elif f.startswith("avx512"):
            bits |= 0xe6
        elif f.startswith("avx") or f in ("fma", "f16c", "vaes", "vpclmulqdq"):
            bits |= 0x6
    return bits


# Each bit of XCR0 that some row needs.
STATES = [1 << i for i in range(32) if state({f for isa in ISAS for f in FEATURES[isa]}) >> i & 1]


class Cpu:
    def __init__(self, number, line):
        fields = line.rsplit(None, len(COLUMNS))
        self.number, self.name = number, fields[0].strip()
        self.word = dict(zip(COLUMNS, (int(f, 16) for f in fields[1:])))
        self.signature, self.xcr0 = self.word["1.eax"], self.word["xcr0"]
        self.set = self.isas()

    def has(self, feature):
        column, bit = WHERE[feature]
        return self.word[column] >> bit & 1

    def isas(self, os_enables=~0):
        """The ISAs that the CPU runs under an OS that enables these bits of XCR0 and grants AMX."""
        xcr0 = self.xcr0 & os_enables if self.has("osxsave") else 0
        return {isa for isa in ISAS if all(self.has(f) for f in FEATURES[isa])
                and state(FEATURES[isa]) & ~xcr0 == 0}


with open(TABLE, encoding="utf-8") as table:
    CPUS = [Cpu(n, line) for n, line in enumerate(table, 1) if not line.startswith("#")]
