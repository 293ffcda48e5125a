import { editionAddress, encodeAddress, metadataAccountKeys, programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type AccountWrite,
  type Asset,
  type ChangeSet,
  contentText,
  deriveAccountFacts,
  type Edition,
  emptyChangeSet,
  offchainRow,
  type OffchainRow,
} from "@lamplight/core";
import { plainAsset } from "@lamplight/store-conformance/plain-asset";
import { openSqliteStore } from "@lamplight/store-sqlite";

/** Sizes of a store that makes calls expensive. */
export interface HostileSizes {
  /** Token accounts of one delegate; those beyond `heldMints` are of one mint that exists. */
  readonly delegated: number;
  /** Mints of which one wallet holds some: each in one of the delegated accounts. */
  readonly heldMints: number;
  /** Assets of one other wallet, with documents of the usual size. */
  readonly owned: number;
  /** Prints of one master edition. */
  readonly prints: number;
  /** Assets of one collection with a large document each. */
  readonly large: number;
  readonly largeBytes: number;
  /** Assets of one wallet that share one document of 2 MiB; default none. */
  readonly sharing?: number;
  /** Data of one account. */
  readonly accountBytes: number;
}

export type Kind =
  | "delegate"
  | "holder"
  | "mint"
  | "token"
  | "owner"
  | "asset"
  | "master"
  | "print"
  | "large"
  | "sharing"
  | "account"
  | "shared";

/** 32 bytes for one thing of a kind: spread over all prefixes, the same in every run. */
export const keyOf = (kind: Kind, index = 0): Uint8Array => {
  const bytes = Buffer.alloc(32, kind);
  // A permutation of the indexes, so that neighbors have distant keys.
  bytes.writeUInt32BE(Math.imul(index + 1, 0x9e3779b1) >>> 0, 0);
  bytes.writeUInt32BE(index, 4);
  return Uint8Array.from(bytes);
};

export const textOf = (kind: Kind, index = 0): string => encodeAddress(keyOf(kind, index));

const COMMIT_ROWS = 20_000;
const SLOT = 1000;

export const buildHostileStore = async (file: string, sizes: HostileSizes): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  const commit = (changes: Partial<ChangeSet>): Promise<unknown> =>
    Promise.resolve(
      store.commit({ ...emptyChangeSet, watermark: { slot: SLOT, blockhash: null }, ...changes }),
    );
  const inBatches = async (count: number, changesOf: (indexes: readonly number[]) => Partial<ChangeSet>) => {
    for (let from = 0; from < count; from += COMMIT_ROWS) {
      const length = Math.min(COMMIT_ROWS, count - from);
      await commit(changesOf(Array.from({ length }, (_, index) => from + index)));
    }
  };
  await inBatches(sizes.heldMints, (indexes) => ({ assets: indexes.map(heldAsset) }));
  await inBatches(sizes.delegated, (indexes) => ({
    accounts: indexes.map((index) => writeOf(delegatedAccount(index, sizes.heldMints))),
  }));
  await inBatches(sizes.owned, (indexes) => ({ assets: indexes.map(ownedAsset) }));
  await inBatches(sizes.prints, (indexes) => ({ editions: indexes.map(printOf) }));
  const document = largeDocument(sizes.largeBytes);
  for (let index = 0; index < sizes.large; index++) {
    await store.offchain!.writeRows([largeRow(index, document)]);
    await commit({ assets: [largeAsset(index)] });
  }
  if (sizes.sharing !== undefined)
    await store.offchain!.writeRows([{ ...largeRow(0, largeDocument(SHARED_BYTES)), uri: sharedUri }]);
  await inBatches(sizes.sharing ?? 0, (indexes) => ({ assets: indexes.map(sharingAsset) }));
  const big = accountOf(
    keyOf("account"),
    programAddresses.system,
    new Uint8Array(sizes.accountBytes).fill(7),
  );
  await commit({ accounts: [writeOf(masterAccount(sizes.prints)), writeOf(sharedMint()), writeOf(big)] });
  await store.writeCoverage({ kind: "whole" });
  await store.close();
};

const writeOf = (account: Account): AccountWrite => ({
  state: { current: account, lastLife: null },
  facts: deriveAccountFacts(account),
});

const accountOf = (address: Uint8Array, programOwner: Uint8Array, data: Uint8Array): Account => ({
  address,
  programOwner,
  lamports: 2_039_280n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data,
  slot: SLOT,
  writeVersion: 0,
});

/** Mint, owner, amount, delegate, state and delegated amount of a token account, where its program keeps them. */
const delegatedAccount = (index: number, heldMints: number): Account => {
  const data = Buffer.alloc(165);
  data.set(index < heldMints ? keyOf("mint", index) : keyOf("shared"), 0);
  data.set(keyOf("holder"), 32);
  data.writeBigUInt64LE(5n, 64);
  data.writeUInt32LE(1, 72);
  data.set(keyOf("delegate"), 76);
  data[108] = 1;
  data.writeBigUInt64LE(5n, 121);
  return accountOf(keyOf("token", index), programAddresses.token, Uint8Array.from(data));
};

/** Supply, decimals and the flag of being initialized of a mint. */
const sharedMint = (): Account => {
  const data = new Uint8Array(82);
  data[36] = 1;
  data[44] = 6;
  data[45] = 1;
  return accountOf(keyOf("shared"), programAddresses.token, data);
};

const masterAccount = (prints: number): Account => {
  const data = Buffer.alloc(282);
  data[0] = metadataAccountKeys.masterEditionV2;
  data.writeBigUInt64LE(BigInt(prints), 1);
  return accountOf(
    editionAddress(keyOf("master"), null),
    programAddresses.tokenMetadata,
    Uint8Array.from(data),
  );
};

const printOf = (index: number): Edition => ({
  address: keyOf("print", index),
  parent: editionAddress(keyOf("master"), null),
  mint: keyOf("mint", index),
  number: BigInt(index + 1),
});

const namedAsset = (id: Uint8Array, name: string): Asset =>
  plainAsset(id, {
    name,
    createdSlot: SLOT,
    updatedSlot: SLOT,
    document: documentOf(id, name, "", `"x"`),
  });

const documentOf = (id: Uint8Array, name: string, attributes: string, description: string): string =>
  documentWith(
    id,
    `{"$schema":"","json_uri":"","files":[],` +
      `"metadata":{"attributes":[${attributes}],"description":${description},"name":"${name}","symbol":""},"links":{}}`,
  );

const documentWith = (id: Uint8Array, content: string): string =>
  `{"interface":"V1_NFT","id":"${encodeAddress(id)}","content":${content},` +
  `"ownership":{"owner":"","frozen":false,"delegated":false,"delegate":null,"ownership_model":"single"},` +
  `"grouping":[{"group_key":"collection","group_value":"${textOf("large")}"}],"mutable":true,"burnt":false}`;

const heldAsset = (index: number): Asset => ({
  ...namedAsset(keyOf("mint", index), `Token ${index}`),
  interface: "FungibleToken",
  ownerModel: "token",
});

const ownedAsset = (index: number): Asset => {
  const id = keyOf("asset", index);
  const name = `Lantern #${index}`;
  return {
    ...namedAsset(id, name),
    assetOwner: keyOf("owner"),
    document: documentOf(id, name, `{"trait_type":"a","value":1.0}`, `"${"words ".repeat(300)}"`),
    extras: `{"token_info":{"supply":1,"decimals":0}}`,
  };
};

const largeDocument = (bytes: number): string => {
  const attribute = `{"trait_type":"color","value":"${"x".repeat(30)}"}`;
  return Array.from({ length: Math.floor(bytes / (attribute.length + 1)) }, () => attribute).join(",");
};

const largeAsset = (index: number): Asset => assetWithUri("large", index, largeUri(index));

const sharedUri = "https://example.com/shared.json";
const SHARED_BYTES = 2_000_000;

const sharingAsset = (index: number): Asset => assetWithUri("sharing", index, sharedUri);

const assetWithUri = (kind: Kind, index: number, jsonUri: string): Asset => {
  const id = keyOf(kind, index);
  const name = `${kind} ${index}`;
  return {
    ...namedAsset(id, name),
    assetOwner: keyOf(kind),
    jsonUri,
    document: documentWith(id, contentText({ name, symbol: "", jsonUri, tokenStandard: null })),
  };
};

const largeUri = (index: number): string => `https://example.com/large/${index}.json`;

const largeRow = (index: number, attributes: string): OffchainRow => {
  const json = `{"attributes":[${attributes}],"description":"large"}`;
  return offchainRow(largeUri(index), { status: "ok", json, immutable: true, fetchedMs: 0 });
};
