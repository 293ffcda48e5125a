import { kernelCode } from "../../generated/blake3-code.ts";

/** BLAKE3 in WebAssembly SIMD. All parameters that name a place are addresses in its memory. */
export interface Blake3Kernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Replaces the eight words of the chaining value. */
  compress(chaining: number, block: number, counter: number, blockLength: number, flags: number): void;
  /**
   * Compresses the first blocks of four chunks of one length, which lie a chunk apart. Their chaining values follow one
   * another.
   *
   * @param blocks - one at least
   */
  compressFour(inputs: number, blocks: number, chainings: number): void;
  /** Adds the 2048 bytes that follow from a root block to the sum; word w of group g lies at 256 g + 16 w, one counter per lane. */
  addLattice(chaining: number, block: number, blockLength: number, flags: number, sum: number): void;
}

/** The used part of WebAssembly's types, which otherwise come with a browser's. */
interface WebAssemblyFace {
  readonly Memory: new (size: { readonly initial: number }) => Blake3Kernel["memory"];
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

let compiled: object | null = null;

/** @param pages - of 64 KiB */
export const createBlake3Kernel = (pages: number): Blake3Kernel => {
  const { Instance, Memory, Module } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyFace })
    .WebAssembly;
  compiled ??= new Module(Buffer.from(kernelCode, "base64"));
  const memory = new Memory({ initial: pages });
  const { exports } = new Instance(compiled, { host: { memory } });
  return { ...(exports as Omit<Blake3Kernel, "memory">), memory };
};
