// SPDX-License-Identifier: MIT
// The output of a test, in the Test Anything Protocol, as test/tap.py has it.
'use strict';
let count = 0, failed = 0;

function ok(condition, name, detail = '') {
	count++;
	failed += !condition;
	console.log(`${condition ? '' : 'not '}ok ${count} - ${name}`);
	if (!condition)
		console.log(String(detail).split('\n').slice(0, 30).map(line => `#   ${line}`).join('\n'));
	return condition;
}

const plain = one => ArrayBuffer.isView(one) ? [...one].map(String) : typeof one === 'bigint' ? `${one}n` : one;
const shown = value => JSON.stringify(value, (_, one) => plain(one));

// Compares values by their text.
function equal(got, wanted, name) {
	return ok(shown(got) === shown(wanted), name, `got ${shown(got)}, expected ${shown(wanted)}`);
}

// The call must throw an exception of that class, whose message begins so.
function refused(Class, message, call) {
	let got = 'no exception';
	try {
		call();
	} catch (e) {
		got = `${e.name}: ${e.message}`;
	}
	ok(got.startsWith(`${Class.name}: ${message}`), `refused: ${message}`, `got ${got}\nexpected ${Class.name}: ${message}`);
}

function done() {
	console.log(`1..${count}`);
	process.exit(failed ? 1 : 0);
}

module.exports = {done, equal, ok, refused};
