// Every answer over the sample chain and the recorded cases fits the result schema of the contract.
import { contractDocument } from "@lamplight/contract";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { callMethod, createMethodSettings, type Profile, CallRequest } from "@lamplight/core";
import { demoChain } from "@lamplight/devchain";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { isLamplightError } from "@lamplight/errors";
import { Ajv, type ValidateFunction } from "ajv";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyInputs } from "../test/apply-inputs.ts";
import { assetEnds } from "../test/asset-ends.ts";
import { openTestStore, type TestStore } from "../test/open-test-store.ts";
import { hasCases, inputsOf, readCases } from "../test/read-cases.ts";
import { createIndexer } from "./indexer.ts";

const PAGE_SIZE = 1000;
const settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment: "finalized" });
const flags = {
  showFungible: true,
  showUnverifiedCollections: true,
  showCollectionMetadata: true,
  showInscription: true,
};

// Formats annotate only: the answers are parsed to doubles here, and other tests hold the digits.
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(JSON.parse(JSON.stringify(contractDocument)) as object, "contract");
const validators = new Map<string, ValidateFunction>(
  contractDocument.methods.map(({ name }, index) => [
    name,
    ajv.compile({ $ref: `contract#/methods/${index}/result/schema` }),
  ]),
);

let store: TestStore;
beforeEach(async () => {
  store = openTestStore();
  await store.store.writeCoverage({ kind: "whole" });
});
afterEach(() => store.close());

/** The faults of one answer. A refusal is no answer. */
const faultsOf = async (
  reader: ReturnType<typeof openSqliteReader>,
  method: string,
  params: object,
  profile: Profile = "spec",
): Promise<readonly string[]> => {
  const request = new CallRequest({ viewSource: reader, settings, profile });
  try {
    const result: unknown = JSON.parse(await callMethod(method, params, request));
    const validate = validators.get(method)!;
    if (validate(result)) return [];
    const { errors } = validate;
    return errors!.map(
      ({ instancePath, message }) => `${method} ${JSON.stringify(params)}: ${instancePath} ${message}`,
    );
  } finally {
    request.close();
  }
};

/** Every asset alone and in a page, plain and with everything that can be shown; returns how many there are. */
const expectAssetsFit = async (): Promise<number> => {
  const reader = openSqliteReader({ file: store.file });
  try {
    const assets = await store.store.readAssetPage(0, PAGE_SIZE);
    const faults: string[] = [];
    for (const { id } of assets) {
      const named = { id: encodeAddress(id) };
      faults.push(...(await faultsOf(reader, "getAsset", named)));
      faults.push(...(await faultsOf(reader, "getAsset", { ...named, options: flags })));
    }
    for (const options of [{}, { ...flags, showGrandTotal: true }])
      faults.push(...(await faultsOf(reader, "searchAssets", { limit: PAGE_SIZE, options })));
    faults.push(...(await faultsOf(reader, "searchAssets", { limit: 1 })));
    expect(faults).toEqual([]);
    return assets.length;
  } finally {
    reader.close();
  }
};

test("a schema refuses what the contract does not describe", async () => {
  const validate = validators.get("searchAssets")!;
  expect(validate({ total: 0, limit: 1, page: 1, items: [] })).toBe(true);
  expect(validate({ total: 0, limit: 1, page: 1, items: [], other: 1 })).toBe(false);
  expect(validate({ total: "0", limit: 1, page: 1, items: [] })).toBe(false);
  expect(validate({ total: 0, limit: 1, page: 1, items: [{}] })).toBe(false);
});

describe("answers over the sample chain", () => {
  beforeEach(async () => {
    const indexer = createIndexer(store.store);
    for (const { slot, blockhash, accounts } of demoChain())
      await indexer.applyAccounts(accounts, { slot, blockhash });
  });

  test("assets fit", async () => {
    expect(await expectAssetsFit()).toBeGreaterThan(100);
  });

  test("accounts, supplies, delegates, editions and the largest accounts fit", async () => {
    const accounts = await store.store.readAccountPage(null, PAGE_SIZE);
    const reader = openSqliteReader({ file: store.file });
    const faults: string[] = [];
    const answered = new Map<string, number>();
    const check = async (method: string, params: object, profile?: Profile): Promise<void> => {
      try {
        faults.push(...(await faultsOf(reader, method, params, profile)));
        answered.set(method, (answered.get(method) ?? 0) + 1);
      } catch (error) {
        // Some accounts are neither a mint nor a master edition.
        if (!isLamplightError(error)) throw error;
      }
    };
    try {
      for (const { current } of accounts) {
        const address = encodeAddress(current.address);
        for (const encoding of ["base64", "base64+zstd", "jsonParsed"])
          await check("getAccountInfo", { address, config: { encoding } });
        await check("getAccountInfo", { address }, "agave");
        await check("getTokenSupply", { pubKey: address });
        for (const encoding of ["base64", "jsonParsed"])
          await check("getTokenAccountsByDelegate", {
            address,
            accountDetails: { programId: encodeAddress(programAddresses.token) },
            config: { encoding },
          });
        await check("getNftEditions", { mint: address, limit: 2 });
      }
      await check("getLargestAccounts", {});
      expect([...answered.keys()].toSorted()).toEqual(
        contractDocument.methods
          .map(({ name }) => name)
          .filter((name) => name !== "getAsset" && name !== "searchAssets")
          .toSorted(),
      );
      expect(faults).toEqual([]);
    } finally {
      reader.close();
    }
  });
});

test.each(assetEnds)("assets fit before and after: $what", async ({ life, end }) => {
  const indexer = createIndexer(store.store);
  for (const part of [life, end]) {
    await indexer.apply({
      accounts: part.accounts ?? [],
      transactions: part.transactions ?? [],
      watermark: { slot: 1_000_000, blockhash: null },
    });
    await expectAssetsFit();
  }
});

describe.skipIf(!hasCases)("answers over the recorded cases", () => {
  test.each(hasCases ? readCases() : [])("$path", async ({ runs }) => {
    for (const run of runs) {
      await applyInputs(createIndexer(store.store), inputsOf(run));
      await expectAssetsFit();
    }
  });
});
