import { editionAddress, programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type Asset,
  type ChangeSet,
  deriveAccountFacts,
  type Edition,
  emptyChangeSet,
  type IndexStore,
} from "@lamplight/core";
import { encodeEdition, encodeMasterEdition } from "@lamplight/devchain";
import { plainAsset } from "@lamplight/store-conformance/plain-asset";
import { createHash } from "node:crypto";
import { coreCollection, coreMember } from "../core-members.ts";

const ACCOUNTS = 100_000;
const ASSETS = 5000;
const MEMBERS = 1000;
const MASTERS = 500;
const PRINTS = 12;
const DELEGATES = 500;
const BATCH = 10_000;
const DOCUMENT_BYTES = 1500;

const addressOf = (name: string): Uint8Array => Uint8Array.from(createHash("sha256").update(name).digest());

export const sampleAccount = { tokenProgram: programAddresses.token, mint: addressOf("mint") };
export const sampleAddress = (index: number): Uint8Array => addressOf(`account ${(index * 7919) % ACCOUNTS}`);
export const sampleAssetId = (index: number): Uint8Array => addressOf(`asset ${index % ASSETS}`);
export const delegateOf = (index: number): Uint8Array => addressOf(`delegate ${index % DELEGATES}`);

/** A token account; one in fifty has a delegate. */
const tokenAccount = (index: number, slot: number): Account => {
  const data = new Uint8Array(165);
  data.set(sampleAccount.mint, 0);
  data.set(addressOf(`wallet ${index % 1000}`), 32);
  new DataView(data.buffer).setBigUint64(64, BigInt(slot), true);
  if (index % 50 === 0) {
    data[72] = 1;
    data.set(delegateOf(index / 50), 76);
  }
  data[108] = 1;
  return {
    address: addressOf(`account ${index}`),
    programOwner: programAddresses.token,
    lamports: 2_039_280n,
    executable: false,
    rentEpoch: 2n ** 64n - 1n,
    data,
    slot,
    writeVersion: 0,
  };
};

const sampleAsset = (index: number): Asset =>
  plainAsset(sampleAssetId(index), {
    assetOwner: addressOf(`wallet ${index % 1000}`),
    authority: addressOf("authority"),
    basisPoints: 500,
    creators: [{ address: addressOf("creator"), verified: true, share: 100 }],
    groups: [{ key: "collection", value: "A", verified: true }],
    name: `Asset ${index}`,
    jsonUri: `https://example.com/${index}.json`,
    document: JSON.stringify({ index, pad: "x".repeat(DOCUMENT_BYTES) }),
  });

const sampleCollection = addressOf("collection");
export const sampleMemberId = (index: number): Uint8Array => addressOf(`member ${index % MEMBERS}`);

/** MPL Core: one collection, and members of it. */
export const fillMembers = async (store: IndexStore): Promise<void> => {
  const collection = coreCollection({ ...sampleAsset(0), id: sampleCollection }, DOCUMENT_BYTES);
  const members = Array.from({ length: MEMBERS }, (_, index) =>
    coreMember({ ...sampleAsset(index), id: sampleMemberId(index) }, sampleCollection, DOCUMENT_BYTES),
  );
  await store.commit(changesOf([], 1, [collection, ...members]));
};

export const sampleMasterMint = (index: number): Uint8Array => addressOf(`master ${index % MASTERS}`);

const editionAccount = (mint: Uint8Array, data: Uint8Array): Account => ({
  ...tokenAccount(0, 1),
  address: editionAddress(mint, null),
  programOwner: programAddresses.tokenMetadata,
  data,
});

/** Master editions, each with its prints. */
export const fillPrints = async (store: IndexStore): Promise<void> => {
  const accounts: Account[] = [];
  const editions: Edition[] = [];
  for (let master = 0; master < MASTERS; master += 1) {
    const parent = editionAccount(sampleMasterMint(master), encodeMasterEdition(BigInt(PRINTS), null, false));
    accounts.push(parent);
    for (let number = 1n; number <= PRINTS; number += 1n) {
      const mint = addressOf(`print ${number} of ${master}`);
      const print = editionAccount(mint, encodeEdition(parent.address, number));
      accounts.push(print);
      editions.push({ address: print.address, parent: parent.address, mint, number });
    }
  }
  await store.commit({ ...changesOf(accounts, 1), editions });
};

/** Accounts as they are loaded. */
export const sampleBatch = (count: number): readonly Account[] =>
  Array.from({ length: count }, (_, index) => tokenAccount(index, 1));

/** Updates of neighbouring accounts, as one slot. */
const slotAccounts = (slot: number, count: number): readonly Account[] =>
  Array.from({ length: count }, (_, index) => tokenAccount((slot * count + index) % ACCOUNTS, slot));

export const slotChanges = (slot: number, count: number): ChangeSet =>
  changesOf(slotAccounts(slot, count), slot);

const changesOf = (accounts: readonly Account[], slot: number, assets: readonly Asset[] = []): ChangeSet => ({
  ...emptyChangeSet,
  watermark: { slot, blockhash: null },
  accounts: accounts.map((current) => ({
    state: { current, lastLife: null },
    facts: deriveAccountFacts(current),
  })),
  assets,
});

export const sampleAssetOrdinals = (run: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => (run * 31 + index) % ASSETS);

/** Accounts written per second; the assets are not counted. */
export const fillSample = async (store: IndexStore): Promise<number> => {
  let elapsedMs = 0;
  for (let from = 0; from < ACCOUNTS; from += BATCH) {
    const changes = changesOf(
      Array.from({ length: BATCH }, (_, index) => tokenAccount(from + index, 1)),
      1,
    );
    const startMs = performance.now();
    await store.commit(changes);
    elapsedMs += performance.now() - startMs;
  }
  await store.commit(
    changesOf(
      [],
      1,
      Array.from({ length: ASSETS }, (_, index) => sampleAsset(index)),
    ),
  );
  return ACCOUNTS / (elapsedMs / 1000);
};
