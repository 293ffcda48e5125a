import { describe, expect, test } from "vitest";

import { findConfigFault as check } from "./config-fault.ts";

describe("findConfigFault", () => {
  test("passes a file that uses everything", () => {
    const config = {
      $schema: "./lamplight.config.schema.json",
      store: "sqlite:chain.db",
      host: "::1",
      port: 0,
      keys: ["one", "two"],
      publicKey: "demo",
      publicUrl: "https://rpc.example.org:8443",
      profile: "agave",
      assetCommitment: "finalized",
      largestAccountsCacheSeconds: 7200,
      limits: { bodyBytes: 1024, batchCalls: 1, drainMs: 0 },
      log: { level: "warn", slowCallMs: 5 },
    };
    expect(check(config)).toBeNull();
    expect(check({})).toBeNull();
  });

  test.each<[unknown, string, string]>([
    [[], "", "must be an object, not an array"],
    [null, "", "must be an object, not null"],
    [{ port: "5267" }, "port", "must be an integer, not a string"],
    [{ port: 1.5 }, "port", "must be an integer, not a number"],
    [{ port: 65_536 }, "port", "must be from 0 to 65535"],
    [{ port: -1 }, "port", "must be from 0 to 65535"],
    [{ host: "" }, "host", "must not be empty"],
    [{ ports: 1 }, "ports", "is not a known setting; did you mean port?"],
    [{ limits: { bodyByte: 1 } }, "limits.bodyByte", "is not a known setting; did you mean bodyBytes?"],
    [{ limits: { bodyBytes: 1 } }, "limits.bodyBytes", "must be from 1024 to 67108864"],
    [{ limits: 5 }, "limits", "must be an object, not a number"],
    [{ keys: "one" }, "keys", "must be an array, not a string"],
    [{ keys: ["one", 2] }, "keys[1]", "must be a string, not a number"],
    [{ profile: "Agave" }, "profile", "must be one of agave, auto, spec"],
    [{ publicUrl: "rpc.example.org" }, "publicUrl", "must match ^https?://[^/?#\\s]+$"],
    [{ log: { level: "loud" } }, "log.level", "must be one of debug, error, info, silent, warn"],
    [JSON.parse('{"__proto__": {}}'), "__proto__", "is not a known setting"],
    [{ constructor: 1 }, "constructor", "is not a known setting"],
  ])("of %j names %s", (value, field, reason) => {
    expect(check(value)).toEqual({ field, reason: expect.stringContaining(reason) as string });
  });

  test("never repeats a value", () => {
    expect(JSON.stringify(check({ publicKey: "not a key!" }))).not.toContain("not a key");
  });
});
