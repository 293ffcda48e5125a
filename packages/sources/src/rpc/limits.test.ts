import { setUsableMemory } from "@lamplight/core";
import { afterEach, expect, test } from "vitest";
import { answerBytesMax, scanBytesMax } from "./limits.ts";

const MIB = 1024 ** 2;

afterEach(() => setUsableMemory(undefined));

test.each([
  [512 * MIB, [32 * MIB, 64 * MIB]],
  [2048 * MIB, [64 * MIB, 256 * MIB]],
  [65_536 * MIB, [256 * MIB, 480 * MIB]],
])("what one answer of a node may take follows the memory: %i", (memoryBytes, bounds) => {
  setUsableMemory(String(memoryBytes));
  expect([answerBytesMax(), scanBytesMax()]).toEqual(bounds);
});
