// While the coverage of a store changes, rows of programs that it does not cover are refused as absent ones are.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import { callMethod, createMethodSettings, type FilteredCoverage, CallRequest } from "@lamplight/core";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { coreAsset, key, masterEdition, metadata, mint } from "../test/encode-accounts.ts";
import { createIndexer } from "./indexer.ts";

const { token, tokenMetadata, mplCore } = programAddressTexts;
const [nft, bare, core] = [key(1), key(2), key(3)];
const coverage: FilteredCoverage = {
  kind: "filtered",
  programs: [token, tokenMetadata, mplCore],
  owners: [],
  mints: [],
  collections: [],
};
const without = (program: string): readonly string[] => coverage.programs.filter((one) => one !== program);
const filling = (program: string): FilteredCoverage => ({
  ...coverage,
  programs: without(program),
  filling: [{ program, since: 5, accounts: 1, total: 2, problem: null }],
});
const dropping = (program: string): FilteredCoverage => ({
  ...coverage,
  programs: without(program),
  dropping: [{ program, since: 5 }],
});

let folder: string;
let store: ReturnType<typeof openSqliteStore>;
const coreAccount = coreAsset(core, 7, key(9), key(8));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-changing-"));
  store = openSqliteStore({ file: join(folder, "index.db"), mode: "write" });
  const accounts = [
    mint(nft, 5),
    metadata(5, { mint: nft }),
    masterEdition(nft, 5, 2n, null),
    mint(bare, 5),
    coreAccount,
  ];
  await createIndexer(store).applyAccounts(accounts, { slot: 100, blockhash: null });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Whether a call is answered; its code where it is refused. @param isAlone - whether a view may be opened by the read */
const ask = async (method: string, params: object, isAlone: boolean): Promise<unknown> => {
  const reader = openSqliteReader({ file: join(folder, "index.db") });
  const settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment: "finalized" });
  const request = new CallRequest({ viewSource: reader, settings, isAlone });
  try {
    await callMethod(method, params, request);
    return "answered";
  } catch (error) {
    return (error as { readonly code: string }).code;
  } finally {
    request.close();
    reader.close();
  }
};

const calls = {
  nft: ["getAsset", { id: encodeAddress(nft) }],
  core: ["getAsset", { id: encodeAddress(core) }],
  editions: ["getNftEditions", { mint: encodeAddress(nft) }],
  mintAccount: ["getAccountInfo", { address: encodeAddress(nft), config: { encoding: "base64" } }],
  coreAccount: ["getAccountInfo", { address: encodeAddress(core), config: { encoding: "base64" } }],
  supply: ["getTokenSupply", { pubKey: encodeAddress(bare) }],
  search: ["searchAssets", { interface: "V1_NFT" }],
} as const;

const refusedWith = async (now: FilteredCoverage): Promise<readonly string[]> => {
  await store.writeCoverage(now);
  const refused: string[] = [];
  for (const [name, [method, params]] of Object.entries(calls)) {
    const found = [await ask(method, params, false), await ask(method, params, true)];
    expect(found[1], name).toBe(found[0]);
    if (found[0] !== "answered") {
      expect(found[0], name).toBe("STORE__NOT_COVERED");
      refused.push(name);
    }
  }
  return refused;
};

test.each([
  ["nothing changes", coverage, ["search"]],
  ["Token Metadata is being added", filling(tokenMetadata), ["nft", "editions", "search"]],
  ["Core is being added", filling(mplCore), ["core", "search"]],
  ["Core was dropped", dropping(mplCore), ["core", "coreAccount", "search"]],
  [
    "Core was dropped, and its account is followed",
    { ...dropping(mplCore), accounts: [encodeAddress(core)] },
    ["core", "search"],
  ],
  ["the token program was dropped", dropping(token), ["nft", "mintAccount", "supply", "search"]],
])("%s", async (_, now, refused) => {
  expect(await refusedWith(now)).toEqual(refused);
});
