// `lamplight dev --rpc` over a real validator, where there is one: it has what the validator has, and moves with it.

import { findValidator, startValidator } from "@lamplight/real-chain";
import { expect, test } from "vitest";
import { LamplightProcess } from "./traffic/lamplight-process.ts";

const validator = findValidator();
if (validator === null)
  console.warn("skipped: no solana-test-validator on PATH or in LAMPLIGHT_VALIDATOR for lamplight dev --rpc");

const asked = [
  "11111111111111111111111111111111",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "SysvarRent111111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
];

interface Result {
  readonly context: { readonly slot: number };
  readonly value: unknown;
}

/** Calls a method as Solana clients do. */
const call = async (url: string, method: string, params: readonly unknown[]): Promise<Result> => {
  const headers = { "content-type": "application/json", "solana-client": "lamplight" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers, body });
  return ((await response.json()) as { readonly result: Result }).result;
};

test.skipIf(validator === null)("lamplight dev answers as the validator does, slot after slot", async () => {
  const node = await startValidator({ path: validator as string });
  const dev = new LamplightProcess(["dev", "--port", "0", "--rpc", node.url]);
  try {
    const urlOf = (): string | undefined => /Local\s+(http\S+)/u.exec(dev.output)?.[1];
    await expect
      .poll(() => {
        if (!dev.isRunning) throw new Error(dev.output);
        return urlOf();
      })
      .toBeDefined();
    const url = urlOf()!;
    for (const address of asked) {
      const params = [address, { encoding: "base64", commitment: "confirmed" }];
      const expected = await call(node.url, "getAccountInfo", params);
      const found = await call(url, "getAccountInfo", params);
      expect([address, found.value]).toEqual([address, expected.value]);
    }
    const slotNow = async (): Promise<number> =>
      (await call(url, "getLargestAccounts", [{ commitment: "confirmed" }])).context.slot;
    const from = await slotNow();
    await expect.poll(slotNow).toBeGreaterThan(from + 5);
  } finally {
    await dev.end("SIGTERM");
    await node.stop();
  }
});
