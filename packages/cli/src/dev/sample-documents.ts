import type { Asset } from "@lamplight/contract";
import { type IndexStore, offchainRow, type OffchainRow } from "@lamplight/core";
import { writeDocument } from "@lamplight/devchain";

/** Assets read from the store at once. */
const PAGE_ROWS = 1000;

/** Keeps a document with a drawn picture for every asset of the store that names one: the sample chain has no host. */
export const keepSampleDocuments = async (store: IndexStore): Promise<void> => {
  let from = 0;
  for (;;) {
    const assets = await store.readAssetPage(from, PAGE_ROWS);
    if (assets.length === 0) return;
    const rows = new Map(assets.flatMap(({ document }) => documentOf(JSON.parse(document) as Asset)));
    await store.offchain?.writeRows([...rows].map(documentRow));
    from = assets.at(-1)!.ordinal + 1;
  }
};

const documentOf = ({ interface: kind, content: { json_uri: uri, metadata } }: Asset): [string, string][] => {
  if (uri === "") return [];
  const json = writeDocument({
    ...metadata,
    description: `${metadata.name}, an asset of the sample chain.`,
    image: null,
    animationUrl: null,
    externalUrl: null,
    attributes: [{ trait_type: "interface", value: kind }],
  });
  return [[uri, json]];
};

/** The row of a document that needs no fetch. */
export const documentRow = ([uri, json]: readonly [string, string]): OffchainRow =>
  offchainRow(uri, { status: "ok", json, immutable: true, fetchedMs: 0 });
