import { sameBytes } from "@lamplight/codecs";
import {
  type AccountState,
  type AccountWrite,
  type AddressBytes,
  AddressMap,
  type Asset,
  deriveAccountFacts,
  type Edition,
  hashAddress,
  type Holding,
  type LedgerState,
  type Link,
  type Slot,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import type { Derived } from "../engine/derive.ts";
import {
  ledgerKey,
  type LinkChange,
  type LinkChanges,
  listKey,
  newest,
  type StateDelta,
} from "../engine/layer.ts";
import { derivedAssetBytes } from "./limits.ts";

/** What a delta is made of: changes, each over the ones before, with the states that they replaced. */
export type DeltaPart = Derived;

type Maps = Pick<
  Delta,
  "accounts" | "links" | "ledger" | "seen" | "assets" | "editions" | "delegated" | "holdings"
>;

/** What it was made from. */
export interface DeltaSource {
  /** Bytes of the updates that it was derived from. It does not keep them, but the follower does. */
  readonly reportedBytes?: number;
  /** Names what it was derived from (`fingerprintOf`); null where no reader asks. */
  readonly reported?: string | null;
}

/** What one slot above the finalized one changes against its parent. It never changes. */
export class Delta implements StateDelta {
  readonly slot: Slot;
  readonly reported: string | null;
  readonly accounts: Pick<AddressMap<AccountWrite>, "get" | "size" | "values">;
  /** By link list, then source; `removed` links are gone from this slot on. */
  readonly links: ReadonlyMap<string, LinkChanges>;
  readonly ledger: ReadonlyMap<string, LedgerState>;
  readonly seen: Pick<AddressMap<Slot>, "get" | "entries">;
  /** Null = the asset is gone. In order of arrival, which is the order of new ordinals. */
  readonly assets: ReadonlyMap<string, { readonly id: AddressBytes; readonly asset: Asset | null }>;
  readonly editions: ReadonlyMap<
    string,
    { readonly address: AddressBytes; readonly edition: Edition | null }
  >;
  /** Addresses by delegate, of the accounts written here. */
  readonly delegated: ReadonlyMap<string, readonly AddressBytes[]>;
  /** Holdings that began, changed or ended here, by token owner: as they were before and as they are after. */
  readonly holdings: ReadonlyMap<string, readonly Holding[]>;
  /** Of the account data kept for it, and of what it was derived from. */
  readonly bytes: number;
  /** Of the assets derived for it: documents and facts. */
  readonly assetBytes: number;

  private constructor(slot: Slot, source: DeltaSource, parts: Maps) {
    const { reportedBytes = 0, reported = null } = source;
    this.slot = slot;
    this.reported = reported;
    this.accounts = parts.accounts;
    this.links = parts.links;
    this.ledger = parts.ledger;
    this.seen = parts.seen;
    this.assets = parts.assets;
    this.editions = parts.editions;
    this.delegated = parts.delegated;
    this.holdings = parts.holdings;
    this.bytes = reportedBytes + sum(parts.accounts.values(), dataBytes);
    this.assetBytes = sum([...parts.assets.values()], ({ asset }) => assetBytes(asset));
  }

  /** @param holdings - where they are known already; else they follow from the states before */
  static of(
    slot: Slot,
    parts: readonly DeltaPart[],
    source: DeltaSource = {},
    holdings?: ReadonlyMap<string, readonly Holding[]>,
  ): Delta {
    const all = new DeltaParts();
    for (const part of parts) all.add(part);
    return new Delta(slot, source, holdings === undefined ? all : { ...all, holdings });
  }

  findState(address: AddressBytes, hash: number): AccountState | undefined {
    return this.accounts.get(address, hash)?.state;
  }

  findLedger(key: string): LedgerState | undefined {
    return this.ledger.get(key);
  }

  findSeen(id: AddressBytes, hash: number): Slot | undefined {
    return this.seen.get(id, hash);
  }

  linksOf(list: string): LinkChanges | undefined {
    return this.links.get(list);
  }
}

/** A delta that is being put together. */
class DeltaParts {
  readonly accounts = new AddressMap<AccountWrite>();
  readonly links = new Map<string, Map<string, LinkChange>>();
  readonly ledger = new Map<string, LedgerState>();
  readonly seen = new AddressMap<Slot>();
  readonly assets = new Map<string, { readonly id: AddressBytes; readonly asset: Asset | null }>();
  readonly editions = new Map<string, { readonly address: AddressBytes; readonly edition: Edition | null }>();
  readonly delegated = new Map<string, AddressBytes[]>();
  readonly holdings = new Map<string, Holding[]>();

  add({ changes, before }: DeltaPart): void {
    for (const write of changes.accounts) this.#addAccount(write, before.get(write.state.current.address));
    for (const link of changes.linksRemoved) this.#addLink(link, true);
    for (const link of changes.linksAdded) this.#addLink(link, false);
    for (const one of changes.ledger) this.ledger.set(ledgerKey(one.kind, one.key), one);
    for (const { id, slot } of changes.assetsSeen) this.seen.set(id, slot);
    // An asset that comes again is a new one: it takes its place at the end.
    for (const id of changes.assetsRemoved) this.#setAsset(id, null, true);
    for (const asset of changes.assets)
      this.#setAsset(asset.id, asset, this.assets.get(addressKey(asset.id))?.asset === null);
    for (const address of changes.editionsRemoved)
      this.editions.set(addressKey(address), { address, edition: null });
    for (const edition of changes.editions)
      this.editions.set(addressKey(edition.address), { address: edition.address, edition });
  }

  #addAccount(write: AccountWrite, stateBefore: AccountState | null | undefined): void {
    const { address } = write.state.current;
    this.accounts.set(address, write);
    const { delegate, holding } = write.facts;
    if (delegate !== null) pushTo(this.delegated, addressKey(delegate), address);
    const before = stateBefore ? deriveAccountFacts(stateBefore.current).holding : null;
    // Most writes of token accounts only change an amount.
    if (isSameHolding(before, holding)) return;
    if (before !== null) pushTo(this.holdings, addressKey(before.tokenOwner), before);
    if (holding !== null) pushTo(this.holdings, addressKey(holding.tokenOwner), holding);
  }

  #setAsset(id: AddressBytes, asset: Asset | null, atTheEnd: boolean): void {
    const key = addressKey(id);
    if (atTheEnd) this.assets.delete(key);
    this.assets.set(key, { id, asset });
  }

  #addLink(link: Link, removed: boolean): void {
    const key = listKey(link.role, link.target);
    const list = this.links.get(key) ?? new Map<string, LinkChange>();
    list.set(addressKey(link.source), { link, removed });
    this.links.set(key, list);
  }
}

const dataBytes = ({ state }: AccountWrite): number =>
  state.current.data.length + (state.lastLife?.data.length ?? 0);

const sum = <Item>(items: readonly Item[], sizeOf: (item: Item) => number): number =>
  items.reduce((total, item) => total + sizeOf(item), 0);

/** Text takes up to two bytes a character in memory. */
const assetBytes = (asset: Asset | null): number =>
  derivedAssetBytes + 2 * ((asset?.document.length ?? 0) + (asset?.extras?.length ?? 0));

const isSameHolding = (a: Holding | null, b: Holding | null): boolean =>
  a === null || b === null
    ? a === b
    : a.positive === b.positive && sameBytes(a.tokenOwner, b.tokenOwner) && sameBytes(a.mint, b.mint);

const pushTo = <Value>(lists: Map<string, Value[]>, key: string, value: Value): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

/** Newest first: the changes of a slot, of its parent, and so on down to the finalized one. */
export type Path = readonly Delta[];

/** What a path last wrote of an account; undefined when no slot of it did. */
export const newestWrite = (path: Path, address: AddressBytes): AccountWrite | undefined => {
  const hash = hashAddress(address);
  return newest(path, (delta) => delta.accounts.get(address, hash));
};
