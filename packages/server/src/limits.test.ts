import { setUsableMemory } from "@lamplight/core";
import { afterEach, expect, test } from "vitest";
import { defaultLimits, type Limits } from "./limits.ts";

afterEach(() => setUsableMemory(undefined));

const limitsWith = (memory: number | string): Limits => {
  setUsableMemory(String(memory));
  return defaultLimits;
};

test("what callers may hold is a share of memory, up to a bound", () => {
  for (const [memory, owedBytes, connections, connectionsPerAddress, waitingRequests] of [
    [256 << 20, 16 << 20, 1365, 342, 409],
    [2 ** 29, 32 << 20, 2730, 683, 819],
    [2 ** 31, 128 << 20, 10_000, 2500, 3276],
    [2 ** 36, 256 << 20, 10_000, 2500, 8192],
  ] as const)
    expect({ ...limitsWith(memory) }).toMatchObject({
      owedBytes,
      connections,
      connectionsPerAddress,
      waitingRequests,
    });
});

test("memory that is set wrongly is reported where the limits are read", () => {
  const limits = limitsWith("much");
  expect(() => ({ ...limits })).toThrow("LAMPLIGHT_MEMORY_BYTES must be a number of bytes");
});

test("there are no more settings than an operator can know", () => {
  expect(Object.keys(limitsWith(2 ** 30))).toHaveLength(16);
});
