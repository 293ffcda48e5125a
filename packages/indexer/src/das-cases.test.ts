import { encodeAddress } from "@lamplight/codecs";
import { parseExact, type StoredAsset } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { applyInputs } from "../test/apply-inputs.ts";
import { openTestStore, type TestStore } from "../test/open-test-store.ts";
import {
  type AssetCase,
  type ExpectedAnswer,
  hasCases,
  type Json,
  type JsonMembers,
  readCases,
} from "../test/read-cases.ts";
import { createIndexer } from "./indexer.ts";
import { verifyAssets } from "./verify/verify-assets.ts";

/** Members for which the references are wrong or a decision goes another way; everything else must be equal. */
const overruled: Readonly<Record<string, { readonly pointers: readonly string[]; readonly reason: string }>> =
  {
    "display-options/get_asset_with_show_collection_metadata_option": {
      pointers: ["/ownership/owner"],
      reason: "the only token account known is empty: it says nothing about who holds the asset",
    },
    "fungible/token_extensions_get_asset_scenario_1": {
      pointers: ["/interface", "/ownership/ownership_model", "/supply"],
      reason: "a Token-2022 mint with supply 1 and 0 decimals is a V1_NFT",
    },
  };

/** Members that only one of the references adds. */
const peerExtensions = ["/lamports", "/executable", "/metadata_owner", "/rent_epoch"];
/** Members of a search's answer that describe the queried owner, not the asset. */
const queryMembers = ["/token_info/balance", "/token_info/associated_token_address"];

const findings = (
  path: string,
  expected: Json | undefined,
  actual: Json | undefined,
  ignored: readonly string[],
): string[] => {
  if (ignored.includes(path)) return [];
  if (isMembers(expected) && isMembers(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].flatMap((name) => findings(`${path}/${name}`, expected[name], actual[name], ignored));
  }
  // The reference multiplies by 0.0001, we divide by 10000.
  if (typeof expected === "number" && typeof actual === "number" && Math.abs(expected - actual) <= 1e-12)
    return [];
  return expected === actual ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`];
};

const isMembers = (value: Json | undefined): value is JsonMembers =>
  typeof value === "object" && value !== null;
const show = (value: Json | undefined): string => (value === undefined ? "nothing" : String(value));

/** The expected asset with what the decisions change in every answer. */
const asDecided = (expected: JsonMembers): JsonMembers => {
  const authorities = (expected["authorities"] as JsonMembers[]).filter(({ address }) => address !== "");
  const grouping = (expected["grouping"] as JsonMembers[]).map(
    ({ group_key = "", group_value = "", verified }) => ({
      group_key,
      group_value,
      ...(verified === undefined ? {} : { verified }),
    }),
  );
  const decided: JsonMembers = { ...expected, authorities, grouping };
  if (decided["supply"] === null) delete decided["supply"];
  if (isMembers(decided["uses"]))
    decided["uses"] = { ...decided["uses"], use_method: String(decided["uses"]["use_method"]).toLowerCase() };
  return decided;
};

/** Our document, with those extras that the expected asset shows. */
const shown = (asset: StoredAsset, expected: JsonMembers): JsonMembers => {
  const document = parseExact(asset.document) as JsonMembers;
  const extras = asset.extras === null ? {} : (parseExact(asset.extras) as JsonMembers);
  for (const name of ["token_info", "inscription"]) {
    if (name in expected) document[name] = extras[name] ?? "missing";
  }
  if ((expected["grouping"] as JsonMembers[]).some((group) => "verified" in group)) {
    const groups = document["grouping"] as JsonMembers[];
    document["grouping"] = extras["grouping"] ?? groups.map((group) => ({ ...group, verified: true }));
  }
  return document;
};

const assetsIn = (result: Json): JsonMembers[] => {
  const items = isMembers(result) && "items" in result ? result["items"] : result;
  return (Array.isArray(items) ? items : [items]).filter(
    (item) => isMembers(item) && "interface" in item,
  ) as JsonMembers[];
};

const compareAssets = async (
  store: TestStore,
  one: AssetCase,
  { result, disputed }: ExpectedAnswer,
): Promise<string[]> => {
  const ignored = [...disputed, ...peerExtensions, ...queryMembers, ...(overruled[one.path]?.pointers ?? [])];
  const found: string[] = [];
  for (const expected of assetsIn(result)) {
    const id = expected["id"] as string;
    const asset = await store.findAsset(id);
    // A search for fungibles puts the queried owner into every item.
    const fungible = ["FungibleToken", "FungibleAsset"].includes(expected["interface"] as string);
    const more = fungible ? ["/ownership/owner"] : [];
    const actual = asset === null ? undefined : shown(asset, expected);
    found.push(
      ...findings("", asDecided(expected), actual, [...ignored, ...more]).map((text) => `${id}${text}`),
    );
  }
  return found;
};

const compareEditions = async (store: TestStore, { result }: ExpectedAnswer): Promise<string[]> => {
  const answer = result as JsonMembers;
  const editions = await store.listEditions(answer["master_edition_address"] as string);
  const known = new Map(editions.map((edition) => [encodeAddress(edition.address), edition]));
  return (answer["editions"] as JsonMembers[]).flatMap((expected) => {
    const edition = known.get(expected["edition_address"] as never);
    const mint = expected["mint"] ?? expected["mint_address"];
    const number = expected["edition"] ?? expected["edition_number"];
    const same =
      edition !== undefined && encodeAddress(edition.mint) === mint && Number(edition.number) === number;
    return same ? [] : [`edition ${String(number)} of ${String(mint)} is missing or different`];
  });
};

describe.skipIf(!hasCases)("asset cases", () => {
  test.each(hasCases ? readCases() : [])("$path", async (one) => {
    for (const run of one.runs) {
      const store = openTestStore();
      try {
        const indexer = createIndexer(store.store);
        for (const step of run.steps) {
          if ("inputs" in step) await applyInputs(indexer, step.inputs);
          else if (step.expected.method === "getNftEditions")
            expect(await compareEditions(store, step.expected)).toEqual([]);
          else expect(await compareAssets(store, one, step.expected)).toEqual([]);
        }
        expect(await verifyAssets(store.store)).toMatchObject({ differing: 0, differences: [] });
        expect(await store.verifyRows()).toEqual([]);
      } finally {
        await store.close();
      }
    }
  });
});
