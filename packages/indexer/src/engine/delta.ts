import {
  type AccountWrite,
  type AddressBytes,
  type AddressMap,
  amountHeld,
  type Asset,
  type ChangeSet,
  type Edition,
  hashAddress,
  type Holding,
  type LedgerState,
  type Link,
  type NextRow,
  type Slot,
  type Watermark,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import { nextRowOf } from "../record/next-row.ts";
import { addressKey } from "./address-map.ts";
import { newest, type StateDelta } from "./layer.ts";
import { assetBytes } from "./packed-asset.ts";

export interface AssetChange {
  readonly id: AddressBytes;
  /** Null = the asset is gone. */
  readonly asset: Asset | null;
  /** Whether it was gone in between: it is a new asset, with a new ordinal. */
  readonly isRecreated: boolean;
}

export interface EditionChange {
  readonly address: AddressBytes;
  /** Null = gone. */
  readonly edition: Edition | null;
}

/** A token account that holds tokens of a mint, or did before. */
export interface HolderChange {
  readonly tokenAccount: AddressBytes;
  /** The raw amount as it was written last; null = it holds none of the mint any more. */
  readonly amount: bigint | null;
  /** Whether its holding began or ended, or became positive or empty. Otherwise only the amount changed. */
  readonly isCounted: boolean;
}

/** Holdings by token owner, then by token account and mint. */
type Holdings = ReadonlyMap<string, ReadonlyMap<string, Holding>>;

/** Changes by key. */
export interface DeltaMaps extends StateDelta {
  readonly writes: Pick<AddressMap<AccountWrite>, "get" | "size" | "values" | "forEach">;
  readonly seen: Pick<AddressMap<Slot>, "get" | "size" | "entries" | "forEach">;
  /** Changes in order of arrival, which is the order of new ordinals. */
  readonly assetChanges: ReadonlyMap<string, AssetChange>;
  readonly editionChanges: ReadonlyMap<string, EditionChange>;
  /** All touched assets by the rules of the next set; null where none is derived. */
  readonly nextChanges: ReadonlyMap<string, AssetChange> | null;
  /** Holdings that began, changed or ended: as they were before and as they are after. */
  readonly holdings: Holdings;
}

/**
 * Changes of a state: of a step, of a slot, or of several slots. It never changes. Layers read it by key, and a store
 * commits it as it is.
 */
export class Delta implements ChangeSet, DeltaMaps {
  readonly watermark: Watermark | null;
  readonly writes: DeltaMaps["writes"];
  readonly links: DeltaMaps["links"];
  readonly ledgerStates: DeltaMaps["ledgerStates"];
  readonly seen: DeltaMaps["seen"];
  readonly assetChanges: DeltaMaps["assetChanges"];
  readonly editionChanges: DeltaMaps["editionChanges"];
  readonly nextChanges: DeltaMaps["nextChanges"];
  readonly holdings: Holdings;
  #delegated: ReadonlyMap<string, readonly AccountWrite[]> | null = null;
  #holders: ReadonlyMap<string, readonly HolderChange[]> | null = null;

  constructor(maps: DeltaMaps, watermark: Watermark | null = null) {
    this.watermark = watermark;
    this.writes = maps.writes;
    this.links = maps.links;
    this.ledgerStates = maps.ledgerStates;
    this.seen = maps.seen;
    this.assetChanges = maps.assetChanges;
    this.editionChanges = maps.editionChanges;
    this.nextChanges = maps.nextChanges;
    this.holdings = maps.holdings;
  }

  get isEmpty(): boolean {
    const { watermark, writes, links, ledgerStates, seen, assetChanges, editionChanges, nextChanges } = this;
    const maps = [writes, links, ledgerStates, seen, assetChanges, editionChanges, nextChanges];
    return watermark === null && maps.every((map) => map === null || map.size === 0);
  }

  get accounts(): readonly AccountWrite[] {
    return this.writes.values();
  }

  get linksAdded(): readonly Link[] {
    return this.#linksThat(false);
  }

  get linksRemoved(): readonly Link[] {
    return this.#linksThat(true);
  }

  get assets(): readonly Asset[] {
    return [...this.assetChanges.values()].flatMap(({ asset }) => asset ?? []);
  }

  get assetsRemoved(): readonly AddressBytes[] {
    return [...this.assetChanges.values()].flatMap(({ id, asset, isRecreated }) =>
      asset === null || isRecreated ? [id] : [],
    );
  }

  get assetsSeen(): ChangeSet["assetsSeen"] {
    return this.seen.entries().map(({ address, value }) => ({ id: address, slot: value }));
  }

  get editions(): readonly Edition[] {
    return [...this.editionChanges.values()].flatMap(({ edition }) => edition ?? []);
  }

  get editionsRemoved(): readonly AddressBytes[] {
    return [...this.editionChanges.values()].flatMap(({ address, edition }) =>
      edition === null ? [address] : [],
    );
  }

  get ledger(): readonly LedgerState[] {
    return [...this.ledgerStates.values()];
  }

  /** Rows of the next set: nothing waits for an asset that both rules derive alike. */
  get next(): readonly NextRow[] {
    return [...(this.nextChanges?.entries() ?? [])].map(([key, { id, asset }]) =>
      nextRowOf(id, this.assetChanges.get(key)?.asset ?? null, asset),
    );
  }

  /** The same changes with the assets of the next set in place of those that answered before. */
  byNextRules(): Delta {
    if (this.nextChanges === null)
      throw brokenInvariant("a slot was derived without the rules that come next");
    return new Delta({ ...this, assetChanges: this.nextChanges, nextChanges: null }, this.watermark);
  }

  /** The same changes without those of a next set. */
  withoutNext(): Delta {
    return this.nextChanges === null ? this : new Delta({ ...this, nextChanges: null }, this.watermark);
  }

  /** Bytes of the account data kept for it. */
  get bytes(): number {
    return sum(this.accounts, ({ state }) => state.current.data.length + (state.lastLife?.data.length ?? 0));
  }

  /** Account data of at least so many bytes. Slots may share them. */
  dataFrom(bytesMin: number): readonly Uint8Array[] {
    const large: Uint8Array[] = [];
    for (const { state } of this.accounts)
      for (const life of [state.current, state.lastLife])
        if (life !== null && life.data.length >= bytesMin) large.push(life.data);
    return large;
  }

  /** Bytes of the assets derived for it: documents and facts. */
  get assetBytes(): number {
    const changes = [...this.assetChanges.values(), ...(this.nextChanges?.values() ?? [])];
    return sum(changes, ({ asset }) => assetBytes(asset));
  }

  /** Accounts that have this delegate as they were written here. */
  delegatedTo(delegate: AddressBytes): readonly AccountWrite[] {
    // Most slots are never asked.
    this.#delegated ??= Map.groupBy(
      this.accounts.filter(({ facts }) => facts.delegate !== null),
      ({ facts }) => addressKey(facts.delegate!),
    );
    return this.#delegated.get(addressKey(delegate)) ?? [];
  }

  /** Token accounts of the mint that were written here, each once. */
  holdersOf(mint: AddressBytes): readonly HolderChange[] {
    // Most slots are never asked.
    this.#holders ??= holdersByMint(this);
    return this.#holders.get(addressKey(mint)) ?? [];
  }

  #linksThat(areRemoved: boolean): readonly Link[] {
    const links: Link[] = [];
    for (const list of this.links.values())
      for (const { link, removed } of list.values()) if (removed === areRemoved) links.push(link);
    return links;
  }
}

const holdersByMint = ({
  accounts,
  holdings,
}: Pick<Delta, "accounts" | "holdings">): ReadonlyMap<string, readonly HolderChange[]> => {
  const byMint = new Map<string, Map<string, HolderChange>>();
  const listOf = (mint: AddressBytes): Map<string, HolderChange> => {
    const key = addressKey(mint);
    const list = byMint.get(key) ?? new Map<string, HolderChange>();
    byMint.set(key, list);
    return list;
  };
  for (const { state, facts } of accounts) {
    if (facts.holding === null) continue;
    const { tokenAccount, mint } = facts.holding;
    const amount = amountHeld(state.current, facts.holding);
    listOf(mint).set(addressKey(tokenAccount), { tokenAccount, amount, isCounted: false });
  }
  for (const list of holdings.values())
    for (const { tokenAccount, mint } of list.values()) {
      const holders = listOf(mint);
      const key = addressKey(tokenAccount);
      holders.set(key, { tokenAccount, amount: holders.get(key)?.amount ?? null, isCounted: true });
    }
  return new Map(Array.from(byMint, ([mint, list]) => [mint, [...list.values()]]));
};

const sum = <Item>(items: readonly Item[], sizeOf: (item: Item) => number): number =>
  items.reduce((total, item) => total + sizeOf(item), 0);

/** Newest first: the changes of a slot, of its parent, and so on down to the finalized one. */
export type Path = readonly Delta[];

/** The last write of an account on a path; undefined when no slot of the path wrote it. */
export const newestWrite = (path: Path, address: AddressBytes): AccountWrite | undefined => {
  const hash = hashAddress(address);
  return newest(path, ({ writes }) => writes.get(address, hash));
};
