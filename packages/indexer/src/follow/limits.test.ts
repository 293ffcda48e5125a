import { afterEach, expect, test, vi } from "vitest";

const MIB = 1024 ** 2;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test.each([
  [1024 * MIB, 256 * MIB, 128 * MIB],
  [1024 * 1024 * MIB, 4096 * MIB, 2048 * MIB],
])(
  "with %i bytes of memory, %i are staged and %i kept above the root",
  async (memory, staged, unfinalized) => {
    vi.stubEnv("LAMPLIGHT_MEMORY_BYTES", String(memory));
    const { stagedBytesMax } = await import("./limits.ts");
    const { unfinalizedBytesMax } = await import("../overlay/limits.ts");
    expect([stagedBytesMax(), unfinalizedBytesMax()]).toEqual([staged, unfinalized]);
  },
);
