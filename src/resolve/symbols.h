/* SPDX-License-Identifier: MIT */
/* Symbols in assembly. Each lies in a section of its own, so that the linker leaves out those to which nobody refers. */
#ifndef ISK_SYMBOLS_H
#define ISK_SYMBOLS_H

/* The whole library sees the symbol, and nobody else. */
#define ISK_HIDDEN(symbol) ".globl " symbol "\n.hidden " symbol "\n"

#define ISK_BEGIN_(symbol, section, flags, type, align)                        \
	".pushsection " section "." symbol ",\"" flags "\n"                        \
	".balign " align "\n"                                                      \
	".type " symbol ", %" type "\n"                                            \
	symbol ":\n"
#define ISK_BEGIN_CODE(symbol)  ISK_BEGIN_(symbol, ".text", "ax\",%progbits", "function", "16")
#define ISK_BEGIN_TABLE(symbol) ISK_BEGIN_(symbol, ".rodata", "a\",%progbits", "object", "4")
#define ISK_BEGIN_SLOT(symbol)  ISK_BEGIN_(symbol, ".bss", "aw\",%nobits", "object", "8")
#define ISK_END(symbol)         ".size " symbol ", . - " symbol "\n.popsection\n"

#endif
