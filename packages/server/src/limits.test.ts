import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const limitsWith = async (memory: number | string) => {
  vi.resetModules();
  vi.stubEnv("LAMPLIGHT_MEMORY_BYTES", String(memory));
  return (await import("./limits.ts")).defaultLimits;
};

test("what callers may hold in bytes is a share of memory, up to a bound", async () => {
  for (const [memory, owedBytes] of [
    [256 << 20, 16 << 20],
    [2 ** 30, 64 << 20],
    [2 ** 36, 256 << 20],
  ] as const)
    expect({ ...(await limitsWith(memory)) }).toMatchObject({ owedBytes });
});

test("memory that is set wrongly is reported where the limits are read", async () => {
  const limits = await limitsWith("much");
  expect(() => ({ ...limits })).toThrow("LAMPLIGHT_MEMORY_BYTES must be a number of bytes");
});

test("there are no more settings than an operator can know", async () => {
  expect(Object.keys(await limitsWith(2 ** 30))).toHaveLength(16);
});
