import { type Blocks, mix, mixAll, quartersOf, schedule } from "./blake3-rounds.ts";
import { FunctionWriter, writeModule } from "./wasm-writer.ts";

// BLAKE3 in WebAssembly SIMD, emitted by this file, so that no compiler is needed and the code can be reviewed. The
// 2048 bytes of an account's lattice hash are 32 compressions of one block with different counters. Four of them run
// side by side in the lanes of each vector, and the sum keeps that order.

export const blake3Words: readonly number[] = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
export const blake3Flags = { chunkStart: 1, chunkEnd: 2, parent: 4, root: 8 } as const;

export const blockBytes = 64;
export const chunkBytes = 1024;

/** Four counters side by side, eight times: 32 blocks of 64 bytes. */
export const latticeGroups = 8;

/**
 * `compress(chaining, block, counter, blockLength, flags)`: replaces the eight words of the chaining value. The state
 * is four rows; a round mixes its columns, then its diagonals.
 */
const compressFunction = (): FunctionWriter => {
  const f = new FunctionWriter({ parameters: 5, vectors: 10, integers: 0 });
  const [chaining, block, counter, blockLength, flags] = [0, 1, 2, 3, 4] as const;
  const rows = [0, 1, 2, 3].map((row) => f.vector(row)) as [number, number, number, number];
  const message = [4, 5, 6, 7].map((part) => f.vector(part)) as [number, number, number, number];
  const [keptLow, keptHigh] = [f.vector(8), f.vector(9)];
  for (const [part, local] of message.entries()) {
    f.get(block);
    f.load(16 * part);
    f.set(local);
  }
  for (const [half, row, kept] of [
    [0, rows[0], keptLow],
    [1, rows[1], keptHigh],
  ] as const) {
    f.get(chaining);
    f.load(16 * half);
    f.set(row);
    f.get(row);
    f.set(kept);
  }
  f.words(blake3Words.slice(0, 4) as [number, number, number, number]);
  f.set(rows[2]);
  f.words([0, 0, 0, 0]);
  for (const [lane, local] of [
    [0, counter],
    [2, blockLength],
    [3, flags],
  ] as const) {
    f.get(local);
    f.replaceLane(lane);
  }
  f.set(rows[3]);
  for (const words of schedule) {
    const gather = (places: readonly number[]) => () =>
      gatherWords(
        f,
        message,
        places.map((place) => words[place] as number),
      );
    mix(f, [{ words: rows, message: [gather([0, 2, 4, 6]), gather([1, 3, 5, 7])] }]);
    turnRows(f, rows, 1);
    mix(f, [{ words: rows, message: [gather([8, 10, 12, 14]), gather([9, 11, 13, 15])] }]);
    turnRows(f, rows, -1);
  }
  for (const half of [0, 1] as const) {
    f.get(chaining);
    f.get(rows[half]);
    f.get(rows[half + 2] as number);
    f.xor();
    f.store(16 * half);
  }
  return f;
};

/** Four words out of sixteen. */
const gatherWords = (f: FunctionWriter, message: readonly number[], words: readonly number[]): void => {
  for (const pair of [0, 2]) {
    f.get(message[pair] as number);
    f.get(message[pair + 1] as number);
    f.shuffleWords(words.map((word) => (word >> 3 === pair / 2 ? word & 7 : 0)));
  }
  f.shuffleWords(words.map((word, lane) => (word < 8 ? lane : lane + 4)));
};

/** Brings the diagonals into columns, or back. */
const turnRows = (f: FunctionWriter, rows: readonly number[], direction: 1 | -1): void => {
  for (const row of [1, 2, 3]) {
    f.get(rows[row] as number);
    f.get(rows[row] as number);
    f.shuffleWords([0, 1, 2, 3].map((lane) => (lane + direction * row + 4) & 3));
    f.set(rows[row] as number);
  }
};

/** Four rows of four words as columns, into four locals. */
const transpose = (f: FunctionWriter, rows: readonly (() => void)[], to: readonly number[]): void => {
  const [a, b, c, d] = rows as [() => void, () => void, () => void, () => void];
  for (const [half, picked] of [
    [0, [0, 4, 1, 5]],
    [2, [2, 6, 3, 7]],
  ] as const) {
    for (const [column, words] of [
      [half, [0, 1, 4, 5]],
      [half + 1, [2, 3, 6, 7]],
    ] as const) {
      a();
      b();
      f.shuffleWords(picked);
      c();
      d();
      f.shuffleWords(picked);
      f.shuffleWords(words);
      f.set(to[column] as number);
    }
  }
};

/**
 * `compressFour(inputs, blocks, chainings)`: the first blocks of four chunks of one length, which lie a chunk apart, side
 * by side in the lanes; their chaining values one after the other.
 */
const compressFourFunction = (): FunctionWriter => {
  const f = new FunctionWriter({ parameters: 3, vectors: 40, integers: 2 });
  const [inputs, blocks, chainings] = [0, 1, 2] as const;
  const locals = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, index) => f.vector(from + index));
  const [state, message, chaining] = [locals(0, 16), locals(16, 16), locals(32, 8)];
  const [block, flags] = [f.integer(0), f.integer(1)];
  const at = (index: number): number => state[index] as number;
  const splat = (word: number): void => f.words([word, word, word, word]);
  for (const [word, local] of chaining.entries()) {
    splat(blake3Words[word] as number);
    f.set(local);
  }
  f.i32(blake3Flags.chunkStart);
  f.set(flags);
  const body = (): void => {
    for (let quarter = 0; quarter < 4; quarter += 1) {
      const rows = [0, 1, 2, 3].map((lane) => () => {
        f.get(inputs);
        f.load(chunkBytes * lane + 16 * quarter);
      });
      transpose(f, rows, message.slice(4 * quarter, 4 * quarter + 4));
    }
    for (const [word, local] of chaining.entries()) {
      f.get(local);
      f.set(at(word));
    }
    for (let word = 8; word < 15; word += 1) {
      splat(word < 12 ? (blake3Words[word - 8] as number) : word === 14 ? blockBytes : 0);
      f.set(at(word));
    }
    f.get(flags);
    f.splat();
    f.set(at(15));
    mixAll(f, { state, message });
    for (const [word, local] of chaining.entries()) {
      f.get(at(word));
      f.get(at(word + 8));
      f.xor();
      f.set(local);
    }
    f.i32(0);
    f.set(flags);
    for (const [counter, step] of [
      [inputs, blockBytes],
      [block, 1],
    ] as const) {
      f.get(counter);
      f.i32(step);
      f.i32Add();
      f.set(counter);
    }
  };
  f.loop(body, () => {
    f.get(block);
    f.get(blocks);
    f.i32Less();
  });
  for (const half of [0, 1]) {
    const rows = chaining.slice(4 * half, 4 * half + 4).map((local) => () => f.get(local));
    transpose(f, rows, state.slice(0, 4));
    for (let lane = 0; lane < 4; lane += 1) {
      f.get(chainings);
      f.get(at(lane));
      f.store(32 * lane + 16 * half);
    }
  }
  return f;
};

/**
 * `addLattice(chaining, block, blockLength, flags, sum)`: the 2048 bytes that follow from a root block, added to the
 * sum as 1024 numbers of 16 bits; word w of group g lies at 256 g + 16 w, one counter per lane.
 */
const addLatticeFunction = (): FunctionWriter => {
  const f = new FunctionWriter({ parameters: 5, vectors: 45, integers: 1 });
  const [chaining, block, blockLength, flags, sum] = [0, 1, 2, 3, 4] as const;
  const state = Array.from({ length: 16 }, (_, word) => f.vector(word));
  const message = Array.from({ length: 16 }, (_, word) => f.vector(16 + word));
  const blocks: Blocks = { state, message };
  const counters = f.vector(32);
  const group = f.integer(0);
  const at = (index: number): number => state[index] as number;
  // The counter is in the first column only, so the first round of the other columns is the same for all lanes.
  const shared = state.map((local, place) => ({ local, place })).filter(({ place }) => place % 4 !== 0);
  for (const [word, local] of message.entries()) {
    f.get(block);
    f.loadSplat(4 * word);
    f.set(local);
  }
  f.words([0, 1, 2, 3]);
  f.set(counters);
  const chainingWord = (word: number): void => {
    f.get(chaining);
    f.loadSplat(4 * word);
    f.set(at(word));
  };
  const constantWord = (word: number): void => {
    const constant = blake3Words[word] as number;
    f.words([constant, constant, constant, constant]);
    f.set(at(8 + word));
  };
  for (const word of [1, 2, 3, 5, 6, 7]) chainingWord(word);
  for (const word of [1, 2, 3]) constantWord(word);
  f.words([0, 0, 0, 0]);
  f.set(at(13));
  for (const [word, local] of [
    [14, blockLength],
    [15, flags],
  ] as const) {
    f.get(local);
    f.splat();
    f.set(at(word));
  }
  mix(f, quartersOf(f, blocks, { words: schedule[0] as readonly number[], turn: 0, lanes: [1, 2, 3] }));
  for (const [index, { local }] of shared.entries()) {
    f.get(local);
    f.set(f.vector(33 + index));
  }
  const body = (): void => {
    chainingWord(0);
    chainingWord(4);
    constantWord(0);
    f.get(counters);
    f.set(at(12));
    for (const [index, { local }] of shared.entries()) {
      f.get(f.vector(33 + index));
      f.set(local);
    }
    mixAll(f, blocks, [0]);
    for (let word = 0; word < 16; word += 1) {
      f.get(sum);
      f.get(sum);
      f.load(16 * word);
      f.get(at(word));
      if (word < 8) f.get(at(word + 8));
      else {
        f.get(chaining);
        f.loadSplat(4 * (word - 8));
      }
      f.xor();
      f.addHalves();
      f.store(16 * word);
    }
    f.get(sum);
    f.i32(256);
    f.i32Add();
    f.set(sum);
    f.get(counters);
    f.words([4, 4, 4, 4]);
    f.addWords();
    f.set(counters);
    f.get(group);
    f.i32(1);
    f.i32Add();
    f.set(group);
  };
  f.loop(body, () => {
    f.get(group);
    f.i32(latticeGroups);
    f.i32Less();
  });
  return f;
};

export interface Blake3Kernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  compress(chaining: number, block: number, counter: number, blockLength: number, flags: number): void;
  /** @param blocks - one at least */
  compressFour(inputs: number, blocks: number, chainings: number): void;
  addLattice(chaining: number, block: number, blockLength: number, flags: number, sum: number): void;
}

/** The used part of WebAssembly's types, which otherwise come with a browser's. */
interface WebAssemblyFace {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

let compiled: { readonly pages: number; readonly module: object } | null = null;

/** @param pages - of 64 KiB */
export const createBlake3Kernel = (pages: number): Blake3Kernel => {
  const { Instance, Module } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyFace })
    .WebAssembly;
  if (compiled?.pages !== pages) {
    const bytes = writeModule(pages, [
      ["compress", compressFunction()],
      ["compressFour", compressFourFunction()],
      ["addLattice", addLatticeFunction()],
    ]);
    compiled = { pages, module: new Module(bytes) };
  }
  return new Instance(compiled.module).exports as Blake3Kernel;
};
