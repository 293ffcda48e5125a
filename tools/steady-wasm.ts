import { setFlagsFromString } from "node:v8";

// Node strips the types of worker threads' sources with WebAssembly that calls JavaScript. V8 13 compiles a stub for
// such a call after 1,000 of them, and can abort the process where threads end at the same time and free their stubs.
setFlagsFromString("--wasm-wrapper-tiering-budget=1000000000");
