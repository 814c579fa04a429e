// Runs web/digests as WebAssembly and prints its lines: `node .ci/web-digests.mjs driftlab-digests.wasm`.

import { readFileSync } from "node:fs";

/// The message to a test (web/host/src/lib.rs).
const PROBE = 4;

const program = await WebAssembly.compile(readFileSync(process.argv[2]));
const imports = {};
for (const { module, name } of WebAssembly.Module.imports(program)) {
    (imports[module] ??= {})[name] = () => { throw new Error(`the program calls ${name}`); };
}
let memory;
imports.env.driftlab_tell = (what, _name, _nameBytes, at, count) => {
    if (what === PROBE) console.log(new TextDecoder().decode(new Uint8Array(memory.buffer, at, count)));
};
const { exports } = await WebAssembly.instantiate(program, imports);
memory = exports.memory;
exports.main(0, 0);
