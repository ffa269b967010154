// SPDX-License-Identifier: MIT
// Prints a folder with node_api.h: the argument if it is one, the package node-api-headers where npm or fetch.sh put it, or
// the headers that were installed with node.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');

const [asked] = process.argv.slice(2);
const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
const folders = asked ? [asked] : [
	path.join(__dirname, '../../node_modules/node-api-headers/include'),
	path.join(cache, 'isakern/node-api-headers'),
	path.join(path.dirname(process.execPath), '../include/node'),
];
const found = folders.find(folder => fs.existsSync(path.join(folder, 'node_api.h')));
if (!found) {
	console.error(`no node_api.h in ${folders.join(', ')}`);
	process.exit(1);
}
console.log(found);
