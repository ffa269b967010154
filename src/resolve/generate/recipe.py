# SPDX-License-Identifier: MIT
"""How a library of kernels is compiled and linked, beside the flags of its ISAs: for Meson, by gen.py, and for isakern-cc."""

# No flag here may assume more than the flags of an ISA's row.
# Kernels are always optimized, because a vocabulary of inlined functions at -O0 takes megabytes of stack and 150 times
# as long, and a Meson project is a debug build by default. These flags come after those of CFLAGS and of a parent
# project, and the last one counts. Hence EXACT restores the arithmetic of C, even if -Ofast, -ffast-math or a part of
# it stands before. -ffp-contract and -fno-math-errno follow EXACT, because -fno-fast-math sets both.
EXACT = ["-fno-fast-math", "-fno-unsafe-math-optimizations", "-fno-finite-math-only", "-fno-associative-math",
         "-fno-reciprocal-math", "-fsigned-zeros"]
KERNEL = ["-O2", *EXACT, "-ffp-contract=off", "-fno-math-errno", "-fno-asynchronous-unwind-tables", "-ffunction-sections",
          "-fdata-sections"]
# Flags for compilers that accept them.
# -falign-loops: loops of two or three instructions take twice the time if they cross a line of the code cache, and the
# tiles of a convolution up to 1.2 times the time if their loop begins inside such a line of 64 bytes (Zen 3, its other
# thread busy).
# -fno-align-jumps: 1.5 % less text; beginnings of loops stay aligned.
# -frename-registers, after their allocation, because gcc 12 otherwise leaves copies of sums in the loops of 8-bit products.
# -mmemset-strategy: by default gcc clears a struct by rep stos, whose start takes longer than writing a few cache lines:
# 1/10 of the time of a convolution of one pixel.
# -Wno-pass-failed: clang warns of each loop that it does not unroll as told, for example of transposes by SVE vectors.
# -fno-single-precision-constant: gcc can be told to take 0.1 for 0.1F, by a flag that is no part of -Ofast.
KERNEL_IF = ["-fno-single-precision-constant", "-falign-loops=64", "-fno-align-jumps",
             "-frename-registers", "-mmemset-strategy=unrolled_loop:512:noalign,rep_8byte:-1:noalign", "-Wno-pass-failed"]
# A switch over names becomes a table of pointers, each of which needs a relocation.
API_IF = ["-fno-jump-tables", "-fno-tree-switch-conversion"]
# CFLAGS may ask for instrumentation and the like, but such code must not call out of a resolver.
RESOLVER_IF = API_IF + [
    "-mgeneral-regs-only", "-fno-tree-loop-distribute-patterns", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
    "-fno-builtin", "-fno-instrument-functions", "-fno-profile-arcs", "-fno-test-coverage", "-fno-profile-generate",
    "-fno-sanitize=all", "-fno-lto", "-U_FORTIFY_SOURCE"]
# On AArch64 a compare-and-swap calls libgcc without this flag.
RESOLVER_ALSO = {"x86_64": [], "aarch64": ["-mno-outline-atomics"]}
# The folders of src/ whose headers sources include.
INCLUDE = ["isa", "kernels/shared", "kernels/reference", "resolve"]
# Sources in src/ that every library has: of the resolver, of the API, and of the description in its references.
RESOLVER_SOURCES = ["isa/detect.c", "isa/detect_%s.c", "resolve/choose.c", "resolve/environ.c", "resolve/explain.c", "resolve/policy.c", "resolve/resolve.c",
                    "resolve/rows.c", "resolve/say.c"]
# Without indirect functions: a flag for all of the resolver, and one more source.
POINTER = ["-DISK_POINTER"]
POINTER_SOURCES = ["resolve/bind.c"]
API_SOURCES = ["resolve/registry.c"]
DESCRIPTION_SOURCES = ["kernels/reference/description.c"]
# No libm, because it takes longer to load than the library. -lc and glibc's ld.so are named, because weak references alone
# would not make them needed, and would then not be found in a dlmopen namespace.
LINK = ["-Wl,-z,now", "-Wl,-z,text", "-Wl,--gc-sections", "-nostartfiles", "-Wl,--push-state,--no-as-needed", "-lc",
        "-Wl,--pop-state"]
LINK_GLIBC = ["-Wl,--push-state,--no-as-needed", "-l:%s", "-Wl,--pop-state"]
LOADER = {"x86_64": "ld-linux-x86-64.so.2", "aarch64": "ld-linux-aarch64.so.1"}


def of(architecture):
    """The recipe of an architecture, under the names that src/meson.build uses."""
    return {"include": INCLUDE, "kernel": KERNEL, "kernel_if": KERNEL_IF, "api_if": API_IF, "resolver_if": RESOLVER_IF + RESOLVER_ALSO[architecture],
            "resolver_sources": [s.replace("%s", architecture) for s in RESOLVER_SOURCES],
            "pointer": POINTER, "pointer_sources": POINTER_SOURCES, "api_sources": API_SOURCES,
            "description_sources": DESCRIPTION_SOURCES, "link": LINK,
            "link_glibc": [w.replace("%s", LOADER[architecture]) for w in LINK_GLIBC]}
