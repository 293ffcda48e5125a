import { describe, expect, test } from "vitest";
import { assetWith, decodeAsset, key, type SyntheticPlugin } from "../../test/core-asset.ts";
import { BorshWriter } from "../borsh/borsh-writer.ts";
import { PLUGIN_BYTES_MAX, PLUGIN_ITEMS_MAX } from "./plugin-limits.ts";

const attributes = (count: number): SyntheticPlugin => ({
  type: 6,
  payload: new BorshWriter()
    .u32(count)
    .bytes(new Uint8Array(8 * count))
    .finish(),
});
/** A hook with so many extra accounts of three bytes. */
const hook = (count: number): SyntheticPlugin => ({
  external: true,
  type: 0,
  payload: new BorshWriter()
    .bytes(key(5))
    .u8(1)
    .u32(count)
    .bytes(new Uint8Array(3 * count))
    .u8(0)
    .u8(0)
    .finish(),
});
const appData = (bytes: number): SyntheticPlugin => ({
  external: true,
  type: 2,
  payload: Uint8Array.of(1, 0),
  data: new Uint8Array(bytes),
});
const frozen: SyntheticPlugin = { type: 5, payload: Uint8Array.of(1) };

describe("the bounds of plugins", () => {
  test("a plugin with too many items is kept as bytes, and hides no other one", () => {
    const asset = decodeAsset(
      assetWith([attributes(PLUGIN_ITEMS_MAX + 1), frozen, attributes(PLUGIN_ITEMS_MAX)]),
    );
    expect(asset.unknownPlugins).toMatchObject([{ index: 0, type: 6 }]);
    expect(asset.unknownPlugins[0]?.bytes).toHaveLength(5 + 8 * (PLUGIN_ITEMS_MAX + 1));
    expect(asset.plugins.map(({ data }) => data.kind)).toEqual(["permanentFreezeDelegate", "attributes"]);
  });

  test("a plugin with too many bytes is listed without them", () => {
    const long = { type: 99, payload: new Uint8Array(PLUGIN_BYTES_MAX) };
    const asset = decodeAsset(assetWith([long, frozen]));
    expect(asset.unknownPlugins).toMatchObject([{ index: 0, type: 99, bytes: new Uint8Array(0) }]);
    expect(asset.plugins.map(({ data }) => data.kind)).toEqual(["permanentFreezeDelegate"]);
  });

  test("adapters share their items, and those of Core have their own", () => {
    const half = PLUGIN_ITEMS_MAX / 2;
    const asset = decodeAsset(assetWith([hook(half), hook(half), hook(1), hook(0), attributes(half)]));
    expect(asset.externalPlugins.map(({ index }) => index)).toEqual([0, 1, 3]);
    expect(asset.unknownExternalPlugins.map(({ index, bytes }) => [index, bytes.length])).toEqual([
      [2, 1 + 32 + 5 + 3 + 2],
    ]);
    expect(asset.plugins).toHaveLength(1);
  });

  test("data of adapters beyond their bytes are null, say where they are, and hide no adapter", () => {
    const asset = decodeAsset(assetWith([appData(PLUGIN_BYTES_MAX - 100), appData(101), appData(80)]));
    expect(asset.externalPlugins.map(({ data }) => data?.length ?? null)).toEqual([
      PLUGIN_BYTES_MAX - 100,
      null,
      80,
    ]);
    expect(asset.externalPlugins[1]?.dataRange?.length).toBe(101n);
    const all = decodeAsset(assetWith([appData(PLUGIN_BYTES_MAX), hook(1), appData(1)]));
    expect(all.externalPlugins.map(({ data }) => data?.length ?? null)).toEqual([
      PLUGIN_BYTES_MAX,
      null,
      null,
    ]);
  });

  test("records beyond their number are missing, and the area says so", () => {
    const oracles = Array.from({ length: PLUGIN_ITEMS_MAX + 1 }, () => ({ external: true, type: 98 }));
    const asset = decodeAsset(assetWith([...oracles, frozen]));
    expect(asset.unknownExternalPlugins).toHaveLength(PLUGIN_ITEMS_MAX);
    expect(asset).toMatchObject({ complete: false, plugins: [{ data: { frozen: true } }] });
    const checks = Array.from({ length: PLUGIN_ITEMS_MAX + 1 }, () => [0, 1] as const);
    const checked = decodeAsset(assetWith([frozen, { external: true, type: 98, checks }]));
    expect(checked).toMatchObject({ complete: false, unknownExternalPlugins: [], plugins: [{}] });
  });
});
