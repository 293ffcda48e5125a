import { describe, expect, test } from "vitest";
import { HostLimiter } from "./host-limiter.ts";

const never = new AbortController().signal;

describe("HostLimiter", () => {
  test("keeps a host to its places and lets no caller wait for one", () => {
    const limiter = new HostLimiter(() => ({ requestsAtOnce: 2, requestsPerSecond: 10 }));
    const [first, second] = [limiter.take("a.test"), limiter.take("a.test.")];
    expect([first, second]).not.toContain(null);
    expect(limiter.take("a.test")).toBeNull();
    expect(limiter.delayMs("a.test")).toBe(Infinity);
    expect(limiter.take("b.test")).not.toBeNull();
    first?.release();
    first?.release();
    expect(limiter.delayMs("a.test")).toBeLessThan(Infinity);
    expect(limiter.take("a.test")).not.toBeNull();
    expect(limiter.take("a.test")).toBeNull();
    second?.release();
    expect(limiter.take("a.test")).not.toBeNull();
  });

  test("spaces the requests of a host, by the same hand or another, and forgets it afterwards", async () => {
    const limiter = new HostLimiter(() => ({ requestsAtOnce: 2, requestsPerSecond: 0.001 }));
    const place = limiter.take("a.test");
    await place?.pace(never);
    place?.release();
    expect(limiter.delayMs("a.test")).toBeGreaterThan(500_000);
    expect(limiter.delayMs("b.test")).toBe(0);
    const quick = new HostLimiter(() => ({ requestsAtOnce: 2, requestsPerSecond: 1_000_000 }));
    const one = quick.take("a.test");
    for (let request = 0; request < 100; request += 1) await one?.pace(never);
    one?.release();
    expect(quick.delayMs("a.test")).toBeLessThan(500);
  });

  test("gives each host its own limits", () => {
    const limits = { requestsAtOnce: 1, requestsPerSecond: 1 };
    const wide = { requestsAtOnce: 3, requestsPerSecond: 100 };
    const limiter = new HostLimiter((host) => (host === "wide.test" ? wide : limits));
    const places = [1, 2, 3].map(() => limiter.take("wide.test"));
    expect(places).not.toContain(null);
    expect(limiter.take("wide.test")).toBeNull();
    expect(limiter.take("a.test")).not.toBeNull();
    expect(limiter.take("a.test.")).toBeNull();
  });

  test("keeps the rate of a host that is idle between its requests", async () => {
    const limiter = new HostLimiter(() => ({ requestsAtOnce: 4, requestsPerSecond: 20 }));
    const startedMs = performance.now();
    for (let request = 0; request < 8; request += 1) {
      const place = limiter.take("a.test");
      await place?.pace(never);
      place?.release();
      // A host that is forgotten would be a new one.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // Seven waits of 50 ms: a new host has nothing to make up for.
    expect(performance.now() - startedMs).toBeGreaterThan(7 * 50 - 10);
  });

  test("a caller that gives up does not wait for its turn", async () => {
    const limiter = new HostLimiter(() => ({ requestsAtOnce: 2, requestsPerSecond: 0.001 }));
    const place = limiter.take("a.test");
    await place?.pace(never);
    const controller = new AbortController();
    const pacing = place?.pace(controller.signal);
    controller.abort(new Error("stop"));
    await expect(pacing).rejects.toThrow();
  });
});
