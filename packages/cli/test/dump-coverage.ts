// Tests the answers of a store of account dumps, for stores of every kind: the real commands load and serve it.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { demoAddresses, demoChain } from "@lamplight/devchain";
import { expect, onTestFinished } from "vitest";
import { runCommand, startCommand } from "./run-command.ts";
import { postCall, servingUrl } from "./serving.ts";

interface Reply {
  readonly result?: { readonly value?: readonly unknown[]; readonly total?: number };
  readonly error?: { readonly code: number; readonly data?: { readonly reason?: string } };
  /** The header X-Coverage. */
  readonly coverage: string | null;
}

const { mint, delegate, masterEditionMint, tokenAccount, wallet, missing, vote, nonce } = demoAddresses;
/** Without an account on the chain: on the curve as a wallet is, and off it as the id of a compressed asset is. */
const { nftCreator: funded, delegate: fundedLeaf } = demoAddresses;
/** The address of an account that the dump records as closed. */
const closed = encodeAddress(new Uint8Array(32).fill(77));
const tokenProgram = encodeAddress(programAddresses.token);

const newestAccounts = (): readonly Account[] => {
  const newest = new Map<string, Account>();
  for (const { accounts } of demoChain())
    for (const account of accounts) newest.set(encodeAddress(account.address), account);
  return [...newest.values()].filter(({ lamports }) => lamports > 0n);
};

const writeDump = (path: string, accounts: readonly Account[]): string => {
  const lines = accounts.map((account) =>
    JSON.stringify({
      pubkey: encodeAddress(account.address),
      slot: account.slot,
      owner: encodeAddress(account.programOwner),
      lamports: String(account.lamports),
      executable: account.executable,
      rentEpoch: String(account.rentEpoch),
      data: Buffer.from(account.data).toString("base64"),
    }),
  );
  writeFileSync(path, lines.join("\n"));
  return path;
};

/** One mint with its token accounts. */
const isOfMint = ({ address, programOwner, data }: Account): boolean =>
  encodeAddress(address) === mint ||
  (encodeAddress(programOwner) === tokenProgram && encodeAddress(data.subarray(0, 32)) === mint);

const systemAccount = (address: string, lamports: bigint): Account => ({
  address: decodeAddress(address),
  programOwner: decodeAddress("11111111111111111111111111111111"),
  lamports,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot: 1,
  writeVersion: 0,
});

/** The accounts of the mint, others that are no assets, and one that is closed. */
const firstDump = (accounts: readonly Account[]): readonly Account[] => [
  ...accounts.filter(
    (account) => isOfMint(account) || [vote, nonce].includes(encodeAddress(account.address) as never),
  ),
  systemAccount(funded, 5n),
  systemAccount(fundedLeaf, 5n),
  systemAccount(closed, 0n),
];

const serve = async (store: string): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
  const child = startCommand(["serve", "--port", "0", "--key", "k", "--store", store]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, url: await servingUrl(child) };
};

const caller =
  (url: string) =>
  async (method: string, params: unknown): Promise<Reply> => {
    const response = await postCall(`${url}/v3/k`, method, params);
    return { ...((await response.json()) as object), coverage: response.headers.get("x-coverage") };
  };

const refused = (code: number) => ({
  error: { code, data: { reason: "STORE__NOT_COVERED" } },
  coverage: null,
});

/** @param store - URL of a store that does not exist, or is empty */
export const expectDumpCoverage = async (store: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-dump-coverage-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const accounts = newestAccounts();
  const first = writeDump(join(folder, "first.ndjson"), firstDump(accounts));
  const rest = accounts.filter((account) => encodeAddress(account.address) !== wallet && !isOfMint(account));
  const second = writeDump(join(folder, "second.ndjson"), rest);
  const load = async (...args: readonly string[]): Promise<void> =>
    expect(await runCommand(["load", "accounts", ...args, "--store", store])).toMatchObject({ exitCode: 0 });

  await load(first);
  const { child, url } = await serve(store);
  const call = caller(url);
  await expectPart(call);
  await expectKnown(call);
  const before = (await call("searchAssets", {})).result?.total ?? 0;
  expect(before).toBeGreaterThan(0);

  await load(second);
  await expect
    .poll(() => call("getNftEditions", [masterEditionMint]))
    .toMatchObject({ result: { total: 23 }, coverage: "partial" });
  expect((await call("searchAssets", {})).result?.total).toBeGreaterThan(before);
  expect(await call("getTokenSupply", [mint])).toMatchObject({ coverage: null, result: {} });
  expect(await call("getAccountInfo", [wallet])).toMatchObject(refused(-32602));
  const readiness = await (await fetch(`${url}/readyz`)).text();
  if (readiness.includes('"coverage"')) expect(readiness).toContain('"dumps":true');

  await load(first, "--covers", `mint:${mint}`);
  const ofMint = { supplyMint: mint };
  await expect
    .poll(() => call("searchAssets", ofMint))
    .toMatchObject({ result: { total: 1 }, coverage: null });
  expect(await call("searchAssets", { negate: true, ...ofMint })).toMatchObject({ coverage: "partial" });
  const byMint = [delegate, { mint }, { encoding: "jsonParsed" }];
  expect(await call("getTokenAccountsByDelegate", byMint)).toMatchObject({ coverage: null, result: {} });

  await load(first, "--covers", "whole");
  await expect.poll(() => call("getLargestAccounts", [])).toMatchObject({ coverage: null, result: {} });
  expect(await call("getNftEditions", [masterEditionMint])).toMatchObject({
    coverage: null,
    result: { total: 23 },
  });
  expect(await call("getAccountInfo", [wallet])).toMatchObject({ result: null, coverage: null });
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
};

/** Checks the answers over the first dump alone. */
const expectPart = async (call: ReturnType<typeof caller>): Promise<void> => {
  const holders = await call("getTokenAccountsByDelegate", [delegate, { mint }, { encoding: "jsonParsed" }]);
  expect(holders.coverage).toBe("partial");
  expect(JSON.stringify(holders.result?.value)).toContain(tokenAccount);
  const ofProgram = await call("getTokenAccountsByDelegate", [delegate, { programId: tokenProgram }]);
  expect([ofProgram.coverage, ofProgram.result?.value?.length]).toEqual([
    "partial",
    holders.result?.value?.length,
  ]);
  expect(await call("searchAssets", { supplyMint: mint })).toMatchObject({
    result: { total: 1 },
    coverage: "partial",
  });
  for (const [method, params] of [
    ["getAsset", { id: mint }],
    ["getAccountInfo", [mint]],
    ["getTokenSupply", [mint]],
  ] as const)
    expect(await call(method, params)).toMatchObject({ result: {}, coverage: null });
  for (const [method, params, code] of [
    ["getAsset", { id: masterEditionMint }, -32068],
    ["getNftEditions", [masterEditionMint], -32068],
    ["getAccountInfo", [missing], -32602],
    ["getTokenSupply", [masterEditionMint], -32602],
    ["getTokenAccountsByDelegate", [delegate, { mint: masterEditionMint }], -32602],
    ["getLargestAccounts", [], -32602],
  ] as const)
    expect(await call(method, params), method).toMatchObject(refused(code));
};

const invalid = (message: string) => ({ error: { code: -32602, message }, coverage: null });

/** Checks the answers about addresses that, by the first dump, have no account or are no asset. */
const expectKnown = async (call: ReturnType<typeof caller>): Promise<void> => {
  expect(await call("getAccountInfo", [closed])).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: null,
    coverage: null,
  });
  expect(await call("getTokenSupply", [closed])).toMatchObject(
    invalid("Invalid param: could not find account"),
  );
  expect(await call("getTokenAccountsByDelegate", [delegate, { mint: closed }])).toMatchObject(
    invalid("Invalid param: could not find mint"),
  );
  const searchOf = (ownerAddress: string) =>
    call("searchAssets", { ownerAddress, options: { showNativeBalance: true } });
  expect(await searchOf(closed)).toMatchObject({ result: { nativeBalance: { lamports: 0 } } });
  expect(await searchOf(missing)).toMatchObject({ error: { code: -32068 } });
  const notFound = { error: { code: -32000, message: "Asset Not Found" }, coverage: null };
  for (const method of ["getAsset", "getNftEditions"]) {
    for (const address of [closed, tokenAccount, vote, nonce, funded])
      expect(await call(method, [address]), `${method} ${address}`).toMatchObject(notFound);
    for (const address of [fundedLeaf, missing])
      expect(await call(method, [address]), `${method} ${address}`).toMatchObject(refused(-32068));
  }
  // Its edition account is one that the dump does not contain.
  expect(await call("getNftEditions", [mint])).toMatchObject(refused(-32068));
};
