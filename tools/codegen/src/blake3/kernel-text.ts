// BLAKE3 in WebAssembly SIMD. The 2048 bytes of an account's lattice hash are 32 compressions of one block with different
// counters. Four of them run side by side in the lanes of each vector, and the sum keeps that order.
import { mix, mixAll, quartersOf, schedule, sixteen } from "./rounds.ts";
import {
  exported,
  get,
  i32,
  load,
  loadSplat,
  loopWhileBelow,
  op,
  set,
  shuffle,
  splat,
  step,
  store,
  words,
} from "./wat.ts";

export const constants = {
  blake3Words: [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ],
  blake3Flags: { chunkStart: 1, chunkEnd: 2, parent: 4, root: 8 },
  blockBytes: 64,
  chunkBytes: 1024,
  /** Four counters side by side, eight times: 32 blocks of 64 bytes. */
  latticeGroups: 8,
} as const;
const { blake3Words, blake3Flags, blockBytes, chunkBytes, latticeGroups } = constants;

const rows = ["row0", "row1", "row2", "row3"] as const;
const quarters = [0, 1, 2, 3] as const;

/** Four words out of the sixteen of a block. */
const gather = (picked: readonly number[]): string => {
  const half = (low: 0 | 1): string =>
    shuffle(
      get(`message${2 * low}`),
      get(`message${2 * low + 1}`),
      picked.map((word) => (word >> 3 === low ? word & 7 : 0)),
    );
  return shuffle(
    half(0),
    half(1),
    picked.map((word, lane) => (word < 8 ? lane : lane + 4)),
  );
};

/** Brings the diagonals into columns, or back. */
const turnRows = (direction: 1 | -1): string[] =>
  [1, 2, 3].map((row) => {
    const value = get(rows[row]!);
    const turned = quarters.map((lane) => (lane + direction * row + 4) & 3);
    return set(rows[row]!, shuffle(value, value, turned));
  });

/** Replaces the eight words of the chaining value. The state is four rows; a round mixes its columns, then its diagonals. */
const compress = (): string => {
  const round = (order: readonly number[]): string[] => {
    const message = (...places: readonly number[]): string => gather(places.map((place) => order[place]!));
    return [
      ...mix([{ locals: rows, message: [message(0, 2, 4, 6), message(1, 3, 5, 7)] }]),
      ...turnRows(1),
      ...mix([{ locals: rows, message: [message(8, 10, 12, 14), message(9, 11, 13, 15)] }]),
      ...turnRows(-1),
    ];
  };
  const lastRow = [
    [0, "counter"],
    [2, "blockLength"],
    [3, "flags"],
  ] as const;
  return exported(
    "compress",
    {
      parameters: ["chaining", "block", "counter", "blockLength", "flags"],
      vectors: [...rows, ...quarters.map((part) => `message${part}`)],
    },
    [
      ...quarters.map((part) => set(`message${part}`, load("block", 16 * part))),
      set("row0", load("chaining", 0)),
      set("row1", load("chaining", 16)),
      set("row2", words(blake3Words.slice(0, 4))),
      set(
        "row3",
        lastRow.reduce((row, [lane, local]) => op(`i32x4.replace_lane ${lane}`, row, get(local)), splat(0)),
      ),
      ...schedule.flatMap(round),
      store("chaining", 0, op("v128.xor", get("row0"), get("row2"))),
      store("chaining", 16, op("v128.xor", get("row1"), get("row3"))),
    ],
  );
};

/** How four rows of four words become columns: words of the rows' pairs for two columns, and of both pairs for each. */
const columnPicks = [
  { ofRows: [0, 4, 1, 5], ofPairs: [0, 1, 4, 5] },
  { ofRows: [0, 4, 1, 5], ofPairs: [2, 3, 6, 7] },
  { ofRows: [2, 6, 3, 7], ofPairs: [0, 1, 4, 5] },
  { ofRows: [2, 6, 3, 7], ofPairs: [2, 3, 6, 7] },
];

/** Sets four locals to the columns of four rows. */
const transpose = (row: (index: number) => string, to: (column: number) => string): string[] =>
  columnPicks.map(({ ofRows, ofPairs }, column) =>
    set(to(column), shuffle(shuffle(row(0), row(1), ofRows), shuffle(row(2), row(3), ofRows), ofPairs)),
  );

/**
 * The first blocks of four chunks of one length, which lie a chunk apart, side by side in the lanes; their chaining
 * values one after the other.
 */
const compressFour = (): string => {
  const chaining = blake3Words.map((_, word) => `chaining${word}`);
  const constantOf = (word: number): number =>
    word < 12 ? blake3Words[word - 8]! : word === 14 ? blockBytes : 0;
  const block = [
    ...quarters.flatMap((quarter) =>
      transpose(
        (lane) => load("inputs", chunkBytes * lane + 16 * quarter),
        (column) => `message${4 * quarter + column}`,
      ),
    ),
    ...chaining.map((local, word) => set(`state${word}`, get(local))),
    ...[8, 9, 10, 11, 12, 13, 14].map((word) => set(`state${word}`, splat(constantOf(word)))),
    set("state15", op("i32x4.splat", get("flags"))),
    ...mixAll(),
    ...chaining.map((local, word) =>
      set(local, op("v128.xor", get(`state${word}`), get(`state${word + 8}`))),
    ),
    set("flags", i32(0)),
    step("inputs", blockBytes),
    step("block", 1),
  ];
  return exported(
    "compressFour",
    {
      parameters: ["inputs", "blocks", "chainings"],
      vectors: [...sixteen("state"), ...sixteen("message"), ...chaining],
      integers: ["block", "flags"],
    },
    [
      ...chaining.map((local, word) => set(local, splat(blake3Words[word]!))),
      set("flags", i32(blake3Flags.chunkStart)),
      loopWhileBelow(block, "block", get("blocks")),
      ...[0, 1].flatMap((half) => [
        ...transpose(
          (row) => get(`chaining${4 * half + row}`),
          (column) => `state${column}`,
        ),
        ...quarters.map((lane) => store("chainings", 32 * lane + 16 * half, get(`state${lane}`))),
      ]),
    ],
  );
};

const chainingWord = (word: number): string => set(`state${word}`, loadSplat("chaining", 4 * word));
const constantWord = (word: number): string => set(`state${8 + word}`, splat(blake3Words[word]!));
const lastHalf = (word: number): string =>
  word < 8 ? get(`state${word + 8}`) : loadSplat("chaining", 4 * (word - 8));

/**
 * The 2048 bytes that follow from a root block, added to the sum as 1024 numbers of 16 bits; word w of group g lies at
 * 256 g + 16 w, one counter per lane.
 */
const addLattice = (): string => {
  // The counter is in the first column only, so the first round of the other columns is the same for all lanes.
  const shared = sixteen("state").filter((_, place) => place % 4 !== 0);
  const group = [
    chainingWord(0),
    chainingWord(4),
    constantWord(0),
    set("state12", get("counters")),
    ...shared.map((local) => set(local, get(`shared_${local}`))),
    ...mixAll([0]),
    ...sixteen("state").map((local, word) => {
      const mixed = op("v128.xor", get(local), lastHalf(word));
      return store("sum", 16 * word, op("i16x8.add", load("sum", 16 * word), mixed));
    }),
    step("sum", 256),
    set("counters", op("i32x4.add", get("counters"), splat(4))),
    step("group", 1),
  ];
  return exported(
    "addLattice",
    {
      parameters: ["chaining", "block", "blockLength", "flags", "sum"],
      vectors: [
        ...sixteen("state"),
        ...sixteen("message"),
        "counters",
        ...shared.map((local) => `shared_${local}`),
      ],
      integers: ["group"],
    },
    [
      ...sixteen("message").map((local, word) => set(local, loadSplat("block", 4 * word))),
      set("counters", words([0, 1, 2, 3])),
      ...[1, 2, 3, 5, 6, 7].map(chainingWord),
      ...[1, 2, 3].map(constantWord),
      set("state13", splat(0)),
      set("state14", op("i32x4.splat", get("blockLength"))),
      set("state15", op("i32x4.splat", get("flags"))),
      ...mix(quartersOf(schedule[0]!, 0, [1, 2, 3])),
      ...shared.map((local) => set(`shared_${local}`, get(local))),
      loopWhileBelow(group, "group", i32(latticeGroups)),
    ],
  );
};

/** A module that works in the memory it is given. */
export const kernelText = (): string =>
  op("module", '(import "host" "memory" (memory 1))', compress(), compressFour(), addLattice());
