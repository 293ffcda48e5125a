// Assets are derived from the links that are there and compared with the assets that are there: what is missing
// altogether shows only here.

import { decodeEditionAccount, programAddresses, sameBytes } from "@lamplight/codecs";
import {
  type AccountState,
  type AddressBytes,
  type Edition,
  type IndexReader,
  linkRoles,
  type LinkRole,
  type StoreExport,
} from "@lamplight/core";
import { AddressSet } from "../engine/address-map.ts";
import { ClaimReader, isAsset } from "../engine/claims.ts";
import { deriveAssets } from "../engine/derive-assets.ts";
import { RoundReader } from "../engine/round-reader.ts";
import { ruleBook } from "../programs/programs.ts";
import { RowTally } from "./row-tally.ts";
import { SeenCheck } from "./seen-check.ts";
import { SlotCheck } from "./slot-check.ts";
import { TreeCheck } from "./tree-check.ts";

type Kept = Pick<StoreExport, "head" | "pages">;

/** Tallies of the compared rows: all links, the ids of assets, all editions. */
class Tallies {
  readonly links = new RowTally();
  readonly assets = new RowTally();
  readonly editions = new RowTally();

  addLink(target: AddressBytes, role: LinkRole, source: AddressBytes): void {
    this.links.add(target, Uint8Array.of(linkRoles.indexOf(role)), source);
  }

  addEdition({ address, parent, mint, number }: Edition): void {
    this.editions.add(address, parent, mint, Buffer.from(BigUint64Array.of(number).buffer));
  }
}

/**
 * Whether links, assets and editions are exactly those that accounts and leaves ask for, none missing and none too
 * many, and what they describe was seen. Reads every table once and keeps nothing of it.
 *
 * @param store - the store that `kept` is an export of; no one writes it in the meantime
 * @param onProgress - called after each page with the number of accounts asked so far, which is most of the work
 * @returns what is wrong, in words; empty = nothing
 */
export const verifyRows = async (
  kept: Kept,
  store: IndexReader,
  onProgress: (accounts: number) => void = () => {},
): Promise<readonly string[]> => {
  const claims = new ClaimReader(ruleBook.accounts);
  const seen = new SeenCheck(store, claims);
  const trees = new TreeCheck(store);
  const slots = new SlotCheck(kept.head.watermark);
  const wanted = await tallyWanted(kept, { store, claims, seen, trees, slots }, onProgress);
  const found = await tallyFound(kept, slots);
  const differing = (["links", "assets", "editions"] as const).flatMap((table) => {
    const [has, asked] = [found[table], wanted[table]];
    if (has.equals(asked)) return [];
    const others = has.count === asked.count ? ", but not the same" : "";
    return [`${table} has ${has.count} rows; accounts and leaves need ${asked.count}${others}`];
  });
  return [...differing, ...seen.problems(), ...trees.problems(), ...slots.problems()];
};

const tallyFound = async (kept: Kept, slots: SlotCheck): Promise<Tallies> => {
  const tallies = new Tallies();
  for await (const page of kept.pages("links"))
    for (const { target, role, source } of page) tallies.addLink(target, role, source);
  for await (const page of kept.pages("assetsSeen")) slots.addSeen(page);
  for await (const page of kept.pages("assets")) for (const { id } of page) tallies.assets.add(id);
  for await (const page of kept.pages("editions")) for (const edition of page) tallies.addEdition(edition);
  return tallies;
};

interface Asked {
  readonly store: IndexReader;
  readonly claims: ClaimReader;
  readonly seen: SeenCheck;
  readonly trees: TreeCheck;
  readonly slots: SlotCheck;
}

const tallyWanted = async (
  kept: Kept,
  { store, claims, seen, trees, slots }: Asked,
  onProgress: (accounts: number) => void,
): Promise<Tallies> => {
  const tallies = new Tallies();
  let accounts = 0;
  for await (const page of kept.pages("accounts")) {
    for (const state of page) {
      const { address } = state.current;
      for (const { claim } of claims.stand(state)) {
        for (const { role, target } of claim.links) tallies.addLink(target, role, address);
        if (isAsset(claim, address)) tallies.assets.add(address);
      }
    }
    for (const edition of await deriveEditions(page, store, claims)) tallies.addEdition(edition);
    await seen.addAccounts(page);
    await trees.addAccounts(page);
    slots.addAccounts(page);
    accounts += page.length;
    onProgress(accounts);
  }
  for await (const page of kept.pages("ledger")) {
    trees.addLedger(page);
    for (const state of page)
      for (const target of ruleBook.ledgers.flatMap((rule) => rule.collectionsOf(state)))
        tallies.addLink(target, "member", state.key);
    const leaves = page.filter(({ kind }) => kind === "leaf").map(({ key }) => key);
    const states = await store.readAccountStates(leaves);
    await seen.addLeaves(leaves);
    // One that was decompressed has a mint at the same address, and is counted there.
    for (const [index, leaf] of leaves.entries()) {
      const standing = claims.standAt(states[index] ?? null);
      if (standing === null || !isAsset(standing.claim, leaf)) tallies.assets.add(leaf);
    }
  }
  return tallies;
};

/** Editions of the prints among these accounts whose mint some metadata name. */
const deriveEditions = async (
  states: readonly AccountState[],
  store: IndexReader,
  claims: ClaimReader,
): Promise<readonly Edition[]> => {
  const prints = states.filter(isPrint).map(({ current }) => ({
    role: "edition" as const,
    target: current.address,
  }));
  const reader = new RoundReader(store, () => {});
  const sources = (await reader.readLinks(prints)).flat();
  await reader.loadStates(sources);
  const mints = new AddressSet();
  for (const source of sources) mints.addAll(claims.standAt(reader.state(source))?.claim.assets ?? []);
  const derived = await deriveAssets(mints.addresses(), reader, claims, ruleBook);
  return derived.flatMap(({ editions }) => editions);
};

const isPrint = ({ current }: AccountState): boolean =>
  sameBytes(current.programOwner, programAddresses.tokenMetadata) &&
  decodeEditionAccount(current.data)?.kind === "edition";
