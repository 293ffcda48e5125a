import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import type { Asset } from "@lamplight/contract";
import { type Account, type AddressBytes, inheritable } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { assetData, collectionData, coreAccount, key, type Plugin, u32 } from "../../../test/encode-core.ts";
import type { AssetRecord } from "../../record/asset-record.ts";
import { shapeDocument } from "../../record/shape-document.ts";
import type { AssetView, KnownAccount } from "../../rules/rules.ts";
import { mplCoreKind, mplCoreRule } from "./mpl-core-rule.ts";

const shared = process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared");
const caseFiles = globSync(join(shared, "das-cases/*/*/case.json"));
if (caseFiles.length === 0) console.warn(`skipped: no shared test data at ${shared}`);

// ---- a view without an engine: newest versions by address ---------------------------------------------------

const known = (current: Account, claiming = current): KnownAccount => ({
  current,
  claiming,
  closed: current !== claiming,
});

const viewOf = (id: AddressBytes, accounts: readonly KnownAccount[]): AssetView => {
  const find = (address: AddressBytes): KnownAccount | null =>
    accounts.find(({ current }) => Buffer.compare(current.address, address) === 0) ?? null;
  return { id, self: find(id), leaf: null, linked: () => [], find };
};

const deriveRecord = (id: AddressBytes, ...accounts: readonly KnownAccount[]): AssetRecord => {
  const record = mplCoreKind.derive(viewOf(id, accounts))?.record;
  if (record === undefined || record === null) throw new Error("no record");
  return record;
};

const inWireWords = (record: AssetRecord): unknown => ({
  interface: record.interface,
  id: encodeAddress(record.id),
  name: record.name,
  json_uri: record.jsonUri,
  authority: record.authority === null ? "" : encodeAddress(record.authority),
  grouping: record.groups.map((group) => ({ group_key: group.key, group_value: group.value })),
  basis_points: record.basisPoints,
  creators: record.creators.map(({ address, share, verified }) => ({
    address: encodeAddress(address),
    share,
    verified,
  })),
  owner: record.assetOwner === null ? "" : encodeAddress(record.assetOwner),
  delegate: record.delegate === null ? null : encodeAddress(record.delegate),
  frozen: record.frozen,
  mutable: record.mutable,
  burnt: record.burnt,
  ...extensionsOf(record),
});

/** Extensions as the document shows them. */
const extensionsOf = (record: AssetRecord): object => {
  const { plugins, unknown_plugins, mpl_core_info, external_plugins, unknown_external_plugins } = JSON.parse(
    shapeDocument(record),
  ) as Asset;
  const all = { plugins, unknown_plugins, mpl_core_info, external_plugins, unknown_external_plugins };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};

interface WireAsset {
  readonly [member: string]: unknown;
  readonly id: string;
  readonly interface: string;
  readonly content: { readonly json_uri: string; readonly metadata: { readonly name: string } };
  readonly authorities: readonly { readonly address: string }[];
  readonly grouping: readonly { readonly group_key: string; readonly group_value: string }[];
  readonly royalty: { readonly basis_points: number };
  readonly ownership: { readonly owner: string; readonly delegate: string | null; readonly frozen: boolean };
}

const expectedInWireWords = (asset: WireAsset): unknown => ({
  interface: asset.interface,
  id: asset.id,
  name: asset.content.metadata.name,
  json_uri: asset.content.json_uri,
  authority: asset.authorities[0]?.address,
  grouping: asset.grouping.map(({ group_key, group_value }) => ({ group_key, group_value })),
  basis_points: asset.royalty.basis_points,
  creators: asset["creators"],
  owner: asset.ownership.owner,
  delegate: asset.ownership.delegate,
  frozen: asset.ownership.frozen,
  mutable: asset["mutable"],
  burnt: asset["burnt"],
  plugins: asset["plugins"],
  mpl_core_info: asset["mpl_core_info"],
  external_plugins: asset["external_plugins"],
});

interface CaseStep {
  readonly index?: { readonly units: readonly { readonly items: readonly { readonly file: string }[] }[] };
  readonly expect?: { readonly result?: unknown };
}

const coreAssetsIn = (value: unknown): readonly WireAsset[] => {
  if (Array.isArray(value)) return value.flatMap(coreAssetsIn);
  if (typeof value !== "object" || value === null) return [];
  const { interface: kind } = value as { interface?: unknown };
  if (typeof kind === "string") return kind.startsWith("MplCore") ? [value as WireAsset] : [];
  return Object.values(value).flatMap(coreAssetsIn);
};

const readAccount = (file: string): Account => {
  const raw = JSON.parse(readFileSync(file, "utf8")) as Record<string, string> & { slot: number };
  return {
    address: decodeAddress(raw["pubkey"] ?? ""),
    programOwner: decodeAddress(raw["owner"] ?? ""),
    lamports: BigInt(raw["lamports"] ?? ""),
    executable: false,
    rentEpoch: 0n,
    data: Buffer.from(raw["data"] ?? "", "base64"),
    slot: raw.slot,
    writeVersion: 0,
  };
};

interface CoreCase {
  readonly name: string;
  readonly accounts: readonly Account[];
  readonly expected: readonly WireAsset[];
}

const coreCases: readonly CoreCase[] = caseFiles.flatMap((file) => {
  const { name, steps } = JSON.parse(readFileSync(file, "utf8")) as {
    name: string;
    steps: readonly CaseStep[];
  };
  const expected = steps.flatMap((step) => coreAssetsIn(step.expect?.result));
  if (expected.length === 0) return [];
  const files = steps.flatMap(
    (step) => step.index?.units.flatMap(({ items }) => items.map((item) => item.file)) ?? [],
  );
  return [{ name, expected, accounts: files.map((account) => readAccount(join(dirname(file), account))) }];
});

describe.skipIf(caseFiles.length === 0)("mplCoreKind on recorded answers", () => {
  test.each(coreCases.map((entry) => [entry.name, entry] as const))("%s", (_name, { accounts, expected }) => {
    for (const asset of expected) {
      const record = joinedRecord(decodeAddress(asset.id), ...accounts.map((account) => known(account)));
      expect(inWireWords(record)).toEqual(expectedInWireWords(asset));
    }
  });

  test("covers the recorded cases", () => {
    expect(coreCases.length).toBeGreaterThan(15);
  });
});

/** With what it takes from its collection, as reading the asset inserts it. */
const joinedRecord = (asset: AddressBytes, ...accounts: readonly KnownAccount[]): AssetRecord => {
  const own = deriveRecord(asset, ...accounts);
  const { inherits } = own;
  if (inherits === null) return own;
  const from = deriveRecord(inherits.from, ...accounts);
  const takes = (fact: number): boolean => (inherits.facts & fact) !== 0;
  return {
    ...own,
    authority: takes(inheritable.authority) ? from.authority : own.authority,
    delegate: takes(inheritable.delegate) ? from.authority : own.delegate,
    basisPoints: takes(inheritable.royalty) ? from.basisPoints : own.basisPoints,
    creators: takes(inheritable.royalty) ? from.creators : own.creators,
    frozen: own.frozen || (takes(inheritable.frozen) && from.frozen),
    mutable: takes(inheritable.mutable) ? from.mutable : own.mutable,
  };
};

const id = key(1);
const collectionId = key(2);
const royalties = (basisPoints: number, creator: Uint8Array): Plugin => ({
  type: 0,
  payload: Buffer.concat([Buffer.from([basisPoints, 0]), u32(1), creator, Uint8Array.of(100, 0)]),
});

const delegateFor = (authority: number): AddressBytes | null =>
  deriveRecord(id, known(coreAccount(id, assetData(null, [{ type: 3, authority }])))).delegate;

describe("mplCoreKind", () => {
  test("a member shows its collection's authority, royalty, freeze and immutability", () => {
    const record = joinedRecord(
      id,
      known(coreAccount(id, assetData(collectionId))),
      known(
        coreAccount(
          collectionId,
          collectionData(1, [royalties(70, key(3)), { type: 5, payload: [1] }, { type: 12 }]),
          {
            slot: 99,
          },
        ),
      ),
    );
    expect(record).toMatchObject({
      jsonUri: "uri",
      basisPoints: 70,
      frozen: true,
      mutable: false,
      updatedSlot: 5,
      creators: [{ share: 100, verified: true }],
      groups: [{ key: "collection", value: encodeAddress(collectionId), verified: true }],
    });
    expect(record.authority).toEqual(Buffer.from(key(9)));
  });

  test("of a plugin on both, the asset's counts", () => {
    const record = joinedRecord(
      id,
      known(coreAccount(id, assetData(collectionId, [royalties(20, key(4)), { type: 5, payload: [0] }]))),
      known(coreAccount(collectionId, collectionData(1, [royalties(70, key(3)), { type: 5, payload: [1] }]))),
    );
    expect(record).toMatchObject({ basisPoints: 20, frozen: false });
  });

  test("a VerifiedCreators plugin that refuses a creator is believed", () => {
    const verified = { type: 13, payload: Buffer.concat([u32(1), key(4), Uint8Array.of(0)]) };
    const record = deriveRecord(
      id,
      known(coreAccount(id, assetData(null, [royalties(20, key(4)), verified]))),
    );
    expect(record.creators.map((creator) => creator.verified)).toEqual([false]);
  });

  test("the delegate is who the TransferDelegate plugin names", () => {
    expect(delegateFor(0)).toBeNull();
    expect(delegateFor(1)).toEqual(Buffer.from(key(7)));
    expect(delegateFor(2)).toBeNull();
  });

  test("without an update authority nothing can change it, and no one has authority", () => {
    const record = deriveRecord(id, known(coreAccount(id, assetData(null))));
    expect(record).toMatchObject({ authority: null, mutable: false, groups: [] });
  });

  test.each([
    ["an emptied account", coreAccount(id, Uint8Array.of(0), { slot: 8 }), true],
    ["a tombstone", coreAccount(id, new Uint8Array(0), { slot: 8, lamports: 0n }), true],
    ["another program's account", coreAccount(id, assetData(null), { slot: 8, programOwner: key(5) }), true],
    ["a hashed asset", coreAccount(id, Buffer.concat([Uint8Array.of(2), key(1)]), { slot: 8 }), false],
    ["bytes that do not decode", coreAccount(id, Uint8Array.of(1, 2, 3), { slot: 8 }), false],
  ])("%s in its place leaves the last life readable; burnt: %s", (_what, current, burnt) => {
    const record = deriveRecord(id, known(current, coreAccount(id, assetData(null))));
    expect(record).toMatchObject({ name: "Name", burnt, supply: burnt ? 0n : 1n, updatedSlot: 8 });
  });

  test("what is unknown or damaged is shown as bytes", () => {
    const record = deriveRecord(id, known(coreAccount(id, assetData(null, [{ type: 77, payload: [1, 2] }]))));
    expect(extensionsOf(record)).toMatchObject({
      plugins: {},
      unknown_plugins: [{ type: 77, index: 0, data: "TQEC", authority: { type: "Owner", address: null } }],
    });
  });
});

describe("mplCoreRule", () => {
  test("an asset links to its collection, a collection to its members", () => {
    expect(mplCoreRule.claim(coreAccount(id, assetData(collectionId)))).toMatchObject({
      assets: [id],
      links: [{ role: "member", target: Buffer.from(collectionId) }],
      others: [Buffer.from(collectionId)],
      outlives: true,
    });
    expect(mplCoreRule.claim(coreAccount(collectionId, collectionData(1)))).toMatchObject({
      assets: [collectionId],
      dependants: [{ role: "member", target: collectionId }],
      outlives: true,
    });
  });

  test("an emptied account proves an end: exactly one zero byte", () => {
    expect(mplCoreRule.claim(coreAccount(id, Uint8Array.of(0)))).toMatchObject({
      assets: [id],
      links: [],
      outlives: true,
      emptied: true,
    });
  });

  test("hashed assets, zeros of another length and what does not decode describe nothing", () => {
    for (const data of [[], [0, 0], [2, ...key(1)], [1, 2, 3], [9]]) {
      expect(mplCoreRule.claim(coreAccount(id, Uint8Array.from(data)))).toBeNull();
    }
  });

  test("members are derived again when their collection becomes known, and never when it changes", () => {
    const before = coreAccount(collectionId, collectionData(1, [royalties(1, key(3))]));
    const after = coreAccount(collectionId, collectionData(2, [royalties(2, key(3))], key(10)));
    expect(mplCoreRule.affectsDependants?.(before, after)).toBe(false);
    expect(mplCoreRule.affectsDependants?.(null, before)).toBe(true);
    expect(mplCoreRule.affectsDependants?.(before, null)).toBe(true);
  });
});
