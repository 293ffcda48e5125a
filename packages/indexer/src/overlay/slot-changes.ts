import { sameBytes } from "@lamplight/codecs";
import {
  type AccountWrite,
  type AddressBytes,
  AddressMap,
  type Asset,
  type ChangeSet,
  type Edition,
  hashAddress,
  type Holding,
  type LedgerState,
  type Link,
  type Slot,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import { listKey } from "../engine/pending.ts";
import { derivedAssetBytes } from "./limits.ts";

/** What one unrooted slot changes against its parent: whole once derived, never changed after that. */
export class SlotChanges {
  readonly slot: Slot;
  readonly accounts = new AddressMap<AccountWrite>();
  /** By link list, then source; `removed` links are gone from this slot on. */
  readonly links = new Map<string, Map<string, { readonly link: Link; readonly removed: boolean }>>();
  readonly ledger = new Map<string, LedgerState>();
  readonly seen = new AddressMap<Slot>();
  /** Null = the asset is gone. In order of arrival, which is the order of new ordinals. */
  readonly assets = new Map<string, { readonly id: AddressBytes; readonly asset: Asset | null }>();
  readonly editions = new Map<string, { readonly address: AddressBytes; readonly edition: Edition | null }>();
  /** Addresses by delegate, of the accounts written here. */
  readonly delegated = new Map<string, AddressBytes[]>();
  /** Holdings that began, changed or ended here, by token owner: as they were before and as they are after. */
  readonly holdings = new Map<string, Holding[]>();

  /** Names what it was derived from (`fingerprintOf`); null where nobody will ask. */
  readonly reported: string | null;

  #bytes: number;
  #assetBytes = 0;

  /** @param reportedBytes - of what it was derived from and does not keep, but the follower does */
  constructor(
    slot: Slot,
    { reportedBytes = 0, reported = null }: { reportedBytes?: number; reported?: string | null } = {},
  ) {
    this.slot = slot;
    this.reported = reported;
    this.#bytes = reportedBytes;
  }

  /** Of the account data kept for it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Of the assets derived for it: documents and facts. */
  get assetBytes(): number {
    return this.#assetBytes;
  }

  /** Takes in what the indexer derived; a slot may come in several parts. */
  add(changes: ChangeSet, holdingBefore: (address: AddressBytes) => Holding | null): void {
    for (const write of changes.accounts) this.#addAccount(write, holdingBefore);
    for (const link of changes.linksRemoved) this.#addLink(link, true);
    for (const link of changes.linksAdded) this.#addLink(link, false);
    for (const one of changes.ledger) this.ledger.set(ledgerKey(one.kind, one.key), one);
    for (const { id, slot } of changes.assetsSeen) this.seen.set(id, slot);
    for (const id of changes.assetsRemoved) {
      // An asset that comes again is a new one: it takes its place at the end.
      this.#setAsset(id, null, true);
    }
    for (const asset of changes.assets) {
      this.#setAsset(asset.id, asset, this.assets.get(addressKey(asset.id))?.asset === null);
    }
    for (const address of changes.editionsRemoved) {
      this.editions.set(addressKey(address), { address, edition: null });
    }
    for (const edition of changes.editions) {
      this.editions.set(addressKey(edition.address), { address: edition.address, edition });
    }
  }

  #addAccount(write: AccountWrite, holdingBefore: (address: AddressBytes) => Holding | null): void {
    const { address } = write.state.current;
    const hash = hashAddress(address);
    this.#bytes += dataBytes(write) - dataBytes(this.accounts.get(address, hash));
    this.accounts.set(address, write, hash);
    const { delegate, holding } = write.facts;
    if (delegate !== null) pushTo(this.delegated, addressKey(delegate), address);
    const before = holdingBefore(address);
    // Most writes of token accounts only change an amount.
    if (isSameHolding(before, holding)) return;
    if (before !== null) pushTo(this.holdings, addressKey(before.tokenOwner), before);
    if (holding !== null) pushTo(this.holdings, addressKey(holding.tokenOwner), holding);
  }

  #setAsset(id: AddressBytes, asset: Asset | null, atTheEnd: boolean): void {
    const key = addressKey(id);
    const before = this.assets.get(key);
    this.#assetBytes += assetBytes(asset) - (before === undefined ? 0 : assetBytes(before.asset));
    if (atTheEnd) this.assets.delete(key);
    this.assets.set(key, { id, asset });
  }

  #addLink(link: Link, removed: boolean): void {
    const key = listKey(link.role, link.target);
    const list = this.links.get(key) ?? new Map<string, { readonly link: Link; readonly removed: boolean }>();
    list.set(addressKey(link.source), { link, removed });
    this.links.set(key, list);
  }
}

const dataBytes = (write: AccountWrite | undefined): number =>
  write === undefined ? 0 : write.state.current.data.length + (write.state.lastLife?.data.length ?? 0);

/** Text takes up to two bytes a character in memory. */
const assetBytes = (asset: Asset | null): number =>
  derivedAssetBytes + 2 * ((asset?.document.length ?? 0) + (asset?.extras?.length ?? 0));

export const ledgerKey = (kind: LedgerState["kind"], key: AddressBytes): string =>
  `${kind} ${addressKey(key)}`;

const isSameHolding = (a: Holding | null, b: Holding | null): boolean =>
  a === null || b === null
    ? a === b
    : a.positive === b.positive && sameBytes(a.tokenOwner, b.tokenOwner) && sameBytes(a.mint, b.mint);

const pushTo = <Value>(lists: Map<string, Value[]>, key: string, value: Value): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

/** Newest first: the changes of a slot, of its parent, and so on down to the root. */
export type Path = readonly SlotChanges[];

/** What a path last wrote of an account; undefined when no slot of it did. */
export const newestWrite = (path: Path, address: AddressBytes): AccountWrite | undefined => {
  const hash = hashAddress(address);
  return newest(path, (changes) => changes.accounts.get(address, hash));
};

/** The newest value on a path; undefined when no slot of it has one. */
export const newest = <Value>(
  path: Path,
  find: (changes: SlotChanges) => Value | undefined,
): Value | undefined => {
  for (const changes of path) {
    const value = find(changes);
    if (value !== undefined) return value;
  }
  return undefined;
};
