import { expect, test } from "vitest";
import { BLOCK_LEVELS, blockLevels, blockPlaceOf, NodeBlock, nodeBlockKey } from "./node-block.ts";
import { nodesStateKey } from "./tree-node.ts";

const hashOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);

test("a path goes through one block for each four levels", () => {
  expect(blockLevels(3)).toEqual([0]);
  expect(blockLevels(14)).toEqual([0, 4, 8, 12]);
  expect(blockLevels(30).map((level) => blockPlaceOf(2 ** 30 - 1, level))).toEqual([
    2 ** 26 - 1,
    2 ** 22 - 1,
    2 ** 18 - 1,
    2 ** 14 - 1,
    2 ** 10 - 1,
    2 ** 6 - 1,
    3,
    0,
  ]);
});

test("no two blocks have the same key, and none has that of the state", () => {
  const trees = [new Uint8Array(32), hashOf(7)];
  const keys = trees.flatMap((tree) =>
    blockLevels(30).flatMap((level) =>
      [0, 1, 2 ** 26 - 1].map((place) => Buffer.from(nodeBlockKey(tree, level, place)).toString("hex")),
    ),
  );
  expect(new Set(keys).size).toBe(2 * 8 * 3);
  expect(keys).not.toContain(Buffer.from(nodesStateKey).toString("hex"));
});

test("a block keeps the newest node of each place, with its change, through its text", () => {
  const block = NodeBlock.empty();
  expect(block.nodeAt(BLOCK_LEVELS - 1, 0)).toBeNull();
  const newest = { seq: Number.MAX_SAFE_INTEGER, slot: Number.MAX_SAFE_INTEGER - 1 };
  block.put(5, { seq: 9, slot: 0 }, (level) => hashOf(10 + level));
  block.put(4, newest, (level) => hashOf(20 + level));
  block.put(5, { seq: 8, slot: 0 }, (level) => hashOf(30 + level));
  const read = NodeBlock.parse(block.write());
  expect(read.write()).toBe(block.write());
  const nodeAt = (level: number, place: number) => {
    const node = read.nodeAt(level, place);
    return node === null ? null : { ...node, hash: Uint8Array.from(node.hash) };
  };
  expect(nodeAt(0, 5)).toEqual({ seq: 9, slot: 0, hash: hashOf(10) });
  for (const [level, place] of [
    [0, 4],
    [1, 2],
    [2, 1],
    [3, 0],
  ] as const)
    expect(nodeAt(level, place)).toEqual({ ...newest, hash: hashOf(20 + level) });
  expect([nodeAt(0, 6), nodeAt(1, 3), nodeAt(3, 1)]).toEqual([null, null, null]);
});

test("of one change that two forks made otherwise, every order keeps the same node", () => {
  const change = { seq: 3, slot: 7 };
  const texts = [[1, 2] as const, [2, 1] as const].map((order) => {
    const block = NodeBlock.empty();
    for (const number of order) block.put(0, change, () => hashOf(number));
    return block.write();
  });
  expect(texts[0]).toBe(texts[1]);
});
