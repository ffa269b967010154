/** isakern: numerical kernels for typed arrays. docs/node.md describes the conventions. */

/** A packed matrix in bytes, which are checked once and must not change afterwards. */
export class Packed {
	constructor(bytes: Uint8Array);
	/** The element type of the matrix, as in the names of kernels: 'f32'. */
	readonly type: string;
	/** Rows. */
	readonly k: number;
	/** Columns. */
	readonly n: number;
	/** Rows that share a scale in each column; 0 if there are no scales. */
	readonly group: number;
	/** The bytes, which may be stored and used on any machine. */
	readonly bytes: Uint8Array;
}

/** The version, the highest ISA that kernels are bound to, that of the CPU, that of the package, and the number of kernels. */
export function info(): {version: string; isa: string; cpu: string; built: string; kernels: number};

/** The variants of a kernel, such as 'exp_f32', lowest ISA first, with the reason why calls reach it or not. */
export function why(kernel: string): {isa: string; bound: boolean; reason: string}[];

