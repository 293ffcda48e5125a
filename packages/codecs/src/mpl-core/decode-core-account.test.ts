import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assetWith, decodeAsset, key, writeBase } from "../../test/core-asset.ts";
import { BorshWriter } from "../borsh/borsh-writer.ts";
import { decodeCoreAccount } from "./decode-core-account.ts";

describe("decodeCoreAccount", () => {
  test("takes an empty account and the emptied account of one zero byte for burnt", () => {
    expect(decodeCoreAccount(new Uint8Array(0))).toEqual({ kind: "burnt" });
    expect(decodeCoreAccount(Uint8Array.of(0))).toEqual({ kind: "burnt" });
  });

  test("never throws, regardless of the bytes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 255),
        fc.uint8Array({ maxLength: 400 }),
        (first, rest) => {
          expect(() => decodeCoreAccount(Uint8Array.of(first, ...rest))).not.toThrow();
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("decodes a hashed asset and a group", () => {
    expect(decodeCoreAccount(new BorshWriter().u8(2).bytes(key(9)).finish())).toEqual({
      kind: "hashedAsset",
      hash: key(9),
    });
    const group = new BorshWriter()
      .u8(6)
      .bytes(key(1))
      .text("g")
      .text("u")
      .u32(1)
      .bytes(key(2))
      .u32(0)
      .u32(0);
    expect(decodeCoreAccount(group.u32(2).bytes(key(3)).bytes(key(4)).finish())).toEqual({
      kind: "group",
      updateAuthority: key(1),
      name: "g",
      uri: "u",
      collections: [key(2)],
      groups: [],
      parentGroups: [],
      assets: [key(3), key(4)],
    });
  });

  test("an account that ends right after the base record has no plugins and is complete", () => {
    const asset = decodeAsset(writeBase().finish());
    expect(asset).toMatchObject({
      name: "Name",
      uri: "uri",
      updateAuthority: { kind: "none" },
      complete: true,
    });
    expect(asset.plugins).toEqual([]);
  });

  test.each([
    ["beyond the end", 10_000n],
    ["before the end of the header", 3n],
    ["2^64 - 1", 2n ** 64n - 1n],
  ])("keeps the base record when the registry offset is %s", (_where, offset) => {
    const asset = decodeAsset(writeBase().u8(3).u64(offset).bytes(new Uint8Array(40)).finish());
    expect(asset).toMatchObject({ name: "Name", plugins: [], complete: false });
  });

  test("keeps plugins of unknown types as bytes, up to the next plugin", () => {
    const asset = decodeAsset(
      assetWith([
        { type: 99, payload: Uint8Array.of(1, 2, 3) },
        { type: 1, payload: Uint8Array.of(1) },
        { external: true, type: 98, payload: Uint8Array.of(4), data: Uint8Array.of(5, 6) },
      ]),
    );
    expect(asset.unknownPlugins).toMatchObject([{ index: 0, type: 99, authority: { kind: "owner" } }]);
    expect([...(asset.unknownPlugins[0]?.bytes ?? [])]).toEqual([99, 1, 2, 3]);
    expect(asset.plugins).toMatchObject([{ index: 1, data: { kind: "freezeDelegate", frozen: true } }]);
    expect([...(asset.unknownExternalPlugins[0]?.bytes ?? [])]).toEqual([98, 4]);
    expect([...(asset.unknownExternalPlugins[0]?.data ?? [])]).toEqual([5, 6]);
  });

  test("a plugin whose offset lies outside, or whose type is not repeated there, costs only itself", () => {
    const asset = decodeAsset(
      assetWith([
        { type: 1, payload: Uint8Array.of(1), offset: 2n ** 63n },
        { type: 3, offset: 0n },
        { type: 12 },
      ]),
    );
    expect(asset.plugins.map(({ data }) => data.kind)).toEqual(["immutableMetadata"]);
    expect(asset.unknownPlugins.map(({ type, offset }) => [type, offset])).toEqual([
      [3, 0n],
      [1, 2n ** 63n],
    ]);
    expect(asset.unknownPlugins[1]?.bytes).toHaveLength(0);
  });

  test("lists of four billion items are refused, in payloads and in the registry", () => {
    const huge = Uint8Array.of(255, 255, 255, 255);
    const asset = decodeAsset(
      assetWith([{ type: 4, payload: huge }, { type: 6, payload: huge }, { type: 2 }]),
    );
    expect(asset.unknownPlugins.map(({ type }) => type)).toEqual([4, 6]);
    expect(asset.plugins.map(({ data }) => data.kind)).toEqual(["burnDelegate"]);
    const registry = writeBase()
      .u8(3)
      .u64(BigInt(writeBase().finish().length + 9))
      .u8(4)
      .bytes(huge)
      .finish();
    expect(decodeAsset(registry)).toMatchObject({ plugins: [], complete: false });
  });

  test("what precedes an unknown authority in the registry is kept", () => {
    const data = assetWith([{ type: 2 }, { type: 3 }]);
    const second = data.length - 4 - 10;
    expect(data[second]).toBe(3);
    data[second + 1] = 77;
    const asset = decodeAsset(data);
    expect(asset.complete).toBe(false);
    expect(asset.plugins.map((plugin) => plugin.data.kind)).toEqual(["burnDelegate"]);
  });

  test("decodes an oracle whose account is a PDA of every kind of seed", () => {
    const seeds = new BorshWriter()
      .u32(6)
      .u8(0)
      .u8(1)
      .u8(2)
      .u8(3)
      .u8(4)
      .bytes(key(8))
      .u8(5)
      .u32(2)
      .u8(1)
      .u8(2)
      .finish();
    const oracle = new BorshWriter()
      .bytes(key(1))
      .u8(1)
      .u8(5)
      .bytes(seeds)
      .u8(1)
      .bytes(key(2))
      .u8(0)
      .u8(1)
      .u8(2)
      .u64(2n ** 64n - 1n)
      .finish();
    const checks = [
      [0, 4],
      [9, 3],
    ] as const;
    const asset = decodeAsset(assetWith([{ external: true, type: 1, payload: oracle, checks }]));
    expect(asset.externalPlugins).toMatchObject([
      {
        lifecycleChecks: [
          { event: 0, flags: 4 },
          { event: 9, flags: 3 },
        ],
        dataRange: null,
        adapter: {
          kind: "oracle",
          baseAddressConfig: {
            kind: "customPda",
            seeds: [
              { kind: "collection" },
              { kind: "owner" },
              { kind: "recipient" },
              { kind: "asset" },
              { kind: "address" },
              { kind: "bytes" },
            ],
            isSigner: false,
            isWritable: true,
          },
          resultsOffset: { kind: "custom", offset: 2n ** 64n - 1n },
        },
      },
    ]);
  });

  test("decodes every other plugin and adapter", () => {
    const frozen = Uint8Array.of(1);
    const hook = new BorshWriter()
      .bytes(key(5))
      .u8(1)
      .u32(1)
      .u8(6)
      .bytes(key(6))
      .u8(1)
      .u8(0)
      .u8(1)
      .u8(3)
      .bytes(key(4))
      .u8(2);
    const asset = decodeAsset(
      assetWith([
        { type: 6, payload: new BorshWriter().u32(1).text("Level").text("7").finish() },
        { type: 7 },
        { type: 8 },
        { type: 9, payload: new BorshWriter().u32(42).finish() },
        { type: 10, payload: new BorshWriter().u8(1).u32(100).u8(0).u8(1).text("u").finish() },
        { type: 11 },
        { type: 15 },
        { type: 16, payload: frozen },
        { type: 17, payload: frozen },
        { type: 18, payload: new BorshWriter().u32(1).bytes(key(3)).finish() },
        { external: true, type: 0, payload: hook.finish() },
        {
          external: true,
          type: 5,
          payload: new BorshWriter().u8(0).bytes(key(2)).u8(1).finish(),
          data: new Uint8Array(0),
        },
        { external: true, type: 6, payload: new BorshWriter().text("https://example.com").finish() },
      ]),
    );
    expect(asset.complete).toBe(true);
    expect(asset.unknownPlugins).toEqual([]);
    expect(asset.plugins.map(({ data }) => data)).toEqual([
      { kind: "attributes", attributeList: [{ key: "Level", value: "7" }] },
      { kind: "permanentTransferDelegate" },
      { kind: "permanentBurnDelegate" },
      { kind: "edition", number: 42 },
      { kind: "masterEdition", maxSupply: 100, name: null, uri: "u" },
      { kind: "addBlocker" },
      { kind: "bubblegumV2" },
      { kind: "freezeExecute", frozen: true },
      { kind: "permanentFreezeExecute", frozen: true },
      { kind: "groups", groups: [key(3)] },
    ]);
    expect(asset.externalPlugins.map(({ adapter }) => adapter)).toEqual([
      {
        kind: "lifecycleHook",
        hookedProgram: key(5),
        extraAccounts: [{ kind: "address", address: key(6), isSigner: true, isWritable: false }],
        dataAuthority: { kind: "address", address: key(4) },
        schema: "msgPack",
      },
      { kind: "dataSection", parent: { kind: "linkedLifecycleHook", program: key(2) }, schema: "json" },
      { kind: "agentIdentity", uri: "https://example.com" },
    ]);
    expect(asset.externalPlugins[1]?.data).toHaveLength(0);
  });

  test("adapter data outside the account is null, its adapter still shown", () => {
    const data = assetWith([
      { external: true, type: 2, payload: Uint8Array.of(1, 0), data: Uint8Array.of(1) },
    ]);
    data[data.length - 8] = 200;
    expect(decodeAsset(data).externalPlugins).toMatchObject([{ adapter: { kind: "appData" }, data: null }]);
  });
});
