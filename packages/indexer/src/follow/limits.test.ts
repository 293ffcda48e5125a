import { setUsableMemory } from "@lamplight/core";
import { afterEach, expect, test } from "vitest";
import { unfinalizedBytesMax } from "../overlay/limits.ts";
import { stagedBytesMax } from "./limits.ts";

const MIB = 1024 ** 2;

afterEach(() => setUsableMemory(undefined));

test.each([
  [1024 * MIB, 256 * MIB, 128 * MIB],
  [1024 * 1024 * MIB, 4096 * MIB, 2048 * MIB],
])("with %i bytes of memory, %i are staged and %i kept above the root", (memory, staged, unfinalized) => {
  setUsableMemory(String(memory));
  expect([stagedBytesMax(), unfinalizedBytesMax()]).toEqual([staged, unfinalized]);
});
