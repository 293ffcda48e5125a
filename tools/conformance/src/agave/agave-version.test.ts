import { describe, expect, test } from "vitest";
import { isBefore, isCompared, readVersion } from "./agave-version.ts";

const noMethod = '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}';

const reporting = (version: string, certificate = noMethod) => ({
  name: "node",
  ask: async (body: string) =>
    body.includes('"getVersion"')
      ? `{"jsonrpc":"2.0","result":{"feature-set":1,"solana-core":"${version}"},"id":1}`
      : certificate,
});

describe("the version of a validator", () => {
  test.each([
    ["4.1.2", 4, 1, true],
    ["4.4.0", 4, 4, true],
    ["4.5.0-alpha.4", 4, 5, false],
    ["4.10.0", 4, 10, false],
    ["5.0.1", 5, 0, false],
  ])("%s is of line %d.%d, compared with: %s", async (text, major, minor, compared) => {
    const version = await readVersion(reporting(text));
    expect(version).toEqual({ text, major, minor, isAlpenglow: false });
    expect(isCompared(version)).toBe(compared);
  });

  test.each([
    ["is Alpenglow's with a genesis certificate", '{"block":{"slot":0,"blockId":[0]}}', true],
    ["is not Alpenglow's without one", "null", false],
  ])("%s", async (_, certificate, isAlpenglow) => {
    const answer = `{"jsonrpc":"2.0","result":${certificate},"id":1}`;
    expect((await readVersion(reporting("4.4.0", answer))).isAlpenglow).toBe(isAlpenglow);
  });

  test("orders by number", () => {
    expect(isBefore({ major: 4, minor: 2 }, { major: 4, minor: 10 })).toBe(true);
    expect(isBefore({ major: 5, minor: 0 }, { major: 4, minor: 2 })).toBe(false);
  });

  test("is missing where the node reports none", async () => {
    await expect(readVersion(reporting("unknown"))).rejects.toThrow("node reports no version");
  });
});
