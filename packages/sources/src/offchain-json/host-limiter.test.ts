import { describe, expect, test } from "vitest";
import { HostLimiter, type Release } from "./host-limiter.ts";

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

describe("HostLimiter", () => {
  test("keeps a host to its places, others to theirs, and serves in order", async () => {
    const limiter = new HostLimiter(2, 1_000_000);
    const got: string[] = [];
    const releases: Release[] = [];
    const ask = async (host: string, name: string): Promise<void> => {
      const release = await limiter.acquire(host);
      got.push(name);
      releases.push(release);
    };
    void ask("a", "a1");
    await settled();
    void ask("a", "a2");
    await settled();
    void ask("a", "a3");
    void ask("a", "a4");
    void ask("b", "b1");
    await expect.poll(() => got.toSorted()).toEqual(["a1", "a2", "b1"]);
    releases[0]?.();
    releases[0]?.();
    await expect.poll(() => got.at(-1)).toBe("a3");
    expect(got).not.toContain("a4");
    releases[1]?.();
    await expect.poll(() => got.at(-1)).toBe("a4");
  });
});
