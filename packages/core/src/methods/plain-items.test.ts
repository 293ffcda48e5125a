import { encodeAddress } from "@lamplight/codecs";
import { expect, test } from "vitest";
import { contentParts } from "../content/content-parts.ts";
import { contentText } from "../content/content-text.ts";
import type { StoredAsset } from "../domain/asset.ts";
import { packAssets, packContents } from "../ports/packed-assets.ts";
import { type ReadHandlers, type ReadView } from "../ports/read-view.ts";
import { ItemCache } from "../caching/item-cache.ts";
import { ITEM_DOCUMENT_BYTES_MAX, shortenContent } from "../shaping/shorten-content.ts";
import { joinStored } from "../driver/joined-reads.ts";
import { CallRequest } from "../driver/call-request.ts";
import { runMethod } from "../driver/run-method.ts";
import type { Method } from "./method.ts";
import { createMethodSettings } from "./method-settings.ts";
import { PageShares } from "./page-shares.ts";
import { joinPlainItems } from "./plain-items.ts";

const id = new Uint8Array(32).fill(7);
const collection = {
  updatedSlot: 1,
  document:
    '{"interface":"MplCoreCollection","id":"c","authorities":[{"address":"A"}],"ownership":{"frozen":true},"royalty":{"percent":0.1,"basis_points":1000},"creators":[1],"mutable":false}',
  extras: null,
};
const inherits = `{"inherits":{"from":"${encodeAddress(id)}","facts":19}}`;

const parts = (description: string): string =>
  contentParts(JSON.stringify({ description, image: "https://a/☀.png", attributes: [{ value: "é" }] }))!;
const contents = new Map([
  ["https://a/1.json", parts("one ☀")],
  ["https://a/é.json", parts("two")],
  ['a"\\\u0001', parts('",\\"files\\":[],')],
  ["https://a/large", parts("x".repeat(ITEM_DOCUMENT_BYTES_MAX))],
  ["https://a/nearly", parts("y".repeat(ITEM_DOCUMENT_BYTES_MAX - 1500))],
]);

const uris = ["", "https://a/none", "\ud800", ...contents.keys()];
const names = ["plain", "é☀\ud83d\ude00", ',"files":[],"metadata":{', "n".repeat(1600), "z".repeat(70_000)];
const assets: readonly StoredAsset[] = Array.from({ length: 300 }, (_, ordinal) => {
  const content = contentText({
    jsonUri: uris[ordinal % uris.length]!,
    name: names[ordinal % 299 === 0 ? 4 : ordinal % 4]!,
    symbol: "S",
    tokenStandard: null,
  });
  const rest = '"authorities":[],"royalty":{"percent":0,"basis_points":0},"creators":[],"mutable":true';
  return {
    document: `{"interface":"V1_NFT","id":"${ordinal}","content":${content},${rest}}`,
    extras: ordinal % 7 === 0 ? inherits : null,
  };
});

const large = (text: string, max: number): boolean => Buffer.byteLength(text) > max;
type AssetAnswers = Pick<
  ReadHandlers<unknown>,
  "ownAsset" | "ownAssets" | "contents" | "packedAssets" | "packedContents" | "itemCache"
>;

const findAll = (ordinals: readonly number[], bytesMax = Number.MAX_SAFE_INTEGER) =>
  ordinals.map((ordinal) => (large(assets[ordinal]!.document, bytesMax) ? null : assets[ordinal]!));
const contentsOf = (asked: readonly string[], bytesMax = Number.MAX_SAFE_INTEGER) =>
  asked.map((uri) => {
    const text = contents.get(uri);
    return text === undefined ? null : { parts: large(text, bytesMax) ? null : text };
  });
const bytes: AssetAnswers = {
  ownAsset: () => collection,
  ownAssets: (_, { ordinals, bytesMax }) => findAll(ordinals, bytesMax),
  contents: (_, { uris: asked, bytesMax }) => contentsOf(asked, bytesMax),
  packedAssets: async (_, { ordinals, bytesMax }) => packAssets(findAll(ordinals, bytesMax)),
  packedContents: async (_, { uris: asked, bytesMax }) => packContents(contentsOf(asked, bytesMax)),
  itemCache: () => null,
};

const viewOf = (answers: AssetAnswers): ReadView => {
  const view: Partial<ReadView> = {
    coverage: { kind: "whole" },
    read: (asked) => (answers as ReadHandlers<unknown>)[asked.kind](view, asked),
    close: () => {},
  };
  return view as ReadView;
};

const pageOf = async (answers: AssetAnswers, ordinals: readonly number[]): Promise<string> => {
  const request = new CallRequest({
    viewSource: { openView: () => viewOf(answers) },
    settings: createMethodSettings({ apiVersion: "1", answerBytesMax: 1 << 30 }),
  });
  const method: Method<object, string> = {
    readsAt: "assets",
    *steps(_, { settings }) {
      return Buffer.concat(yield* joinPlainItems(ordinals, new PageShares(settings))).toString() as never;
    },
  };
  return String(await runMethod("searchAssets", method, {}, request));
};

test("a page in bytes is what each asset is by itself, cut to the size of an item", async () => {
  const ordinals = [...assets.keys()].toReversed();
  const alone = await Promise.all(
    ordinals.map(async (ordinal) => (await joinStored(viewOf(bytes), assets[ordinal]!)).document),
  );
  const page = await pageOf(bytes, ordinals);
  const items = JSON.parse(`[${page}]`) as object[];
  for (const [index, item] of items.entries()) {
    const whole = alone[index]!;
    if (!large(whole, ITEM_DOCUMENT_BYTES_MAX)) expect(item).toEqual(JSON.parse(whole));
    else expect(Buffer.byteLength(whole)).toBeGreaterThan(Buffer.byteLength(shortenContent(whole)) - 100);
  }
  const small = ordinals.filter((_, index) => !large(alone[index]!, ITEM_DOCUMENT_BYTES_MAX - 1000));
  expect(small.length).toBeGreaterThan(200);
  const expected = small.map((ordinal) => alone[ordinals.indexOf(ordinal)]);
  expect(await pageOf(bytes, small)).toBe(expected.join(","));
});

test("a page with items from a cache is the same, and reads only the others", async () => {
  const ordinals = [...assets.keys()].toReversed();
  const page = await pageOf(bytes, ordinals);
  const cache = new ItemCache(8 << 20);
  const read: number[] = [];
  const caching: AssetAnswers = {
    ...bytes,
    itemCache: () => cache.state,
    packedAssets: (view, asked) => {
      read.push(...asked.ordinals);
      return bytes.packedAssets(view, asked);
    },
  };
  const some = ordinals.filter((ordinal) => ordinal % 3 === 0);
  expect(await pageOf(caching, some)).toBe(await pageOf(bytes, some));
  expect(await pageOf(caching, some)).toBe(await pageOf(bytes, some));
  expect(read.splice(0)).toEqual([...some, ...some]);
  expect(await pageOf(caching, ordinals)).toBe(page);
  expect(read).toEqual(expect.arrayContaining(ordinals.filter((ordinal) => ordinal % 3 !== 0)));
  expect(await pageOf(caching, ordinals)).toBe(page);
  read.length = 0;
  expect(await pageOf(caching, ordinals)).toBe(page);
  // Not cached: what takes facts from a collection, which may change without it, and what is cut.
  for (const ordinal of ordinals) {
    if (ordinal % 7 === 0) expect(read).toContain(ordinal);
    else if (ordinal % uris.length < uris.length - 2 && ordinal % 299 !== 0)
      expect(read).not.toContain(ordinal);
  }
  expect(read.length).toBeLessThan(ordinals.length / 2);
});
