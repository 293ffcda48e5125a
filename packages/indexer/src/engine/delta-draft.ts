import { brokenInvariant } from "@lamplight/errors";
import { sameBytes } from "@lamplight/codecs";
import {
  type AccountState,
  type AccountWrite,
  type AddressBytes,
  type Asset,
  deriveAccountFacts,
  type Edition,
  type Holding,
  type LedgerState,
  type Link,
  type Slot,
  type Watermark,
} from "@lamplight/core";
import { addressKey, AddressMap } from "./address-map.ts";
import { type AssetChange, Delta, type DeltaMaps, type EditionChange, type Path } from "./delta.ts";
import { ledgerKey, type LinkChange, listKey } from "./layer.ts";
import { mergeBlocks } from "./merge-blocks.ts";
import { packChange } from "./packed-changes.ts";

/** A delta that is being put together: later reads of a step see what it has so far. */
export class DeltaDraft implements DeltaMaps {
  readonly writes = new AddressMap<AccountWrite>();
  readonly links = new Map<string, Map<string, LinkChange>>();
  readonly ledgerStates = new Map<string, LedgerState>();
  /** Slots lower than what the reader has. */
  readonly seen = new AddressMap<Slot>();
  readonly assetChanges = new Map<string, AssetChange>();
  readonly editionChanges = new Map<string, EditionChange>();
  nextChanges: Map<string, AssetChange> | null = null;
  readonly holdings = new Map<string, Map<string, Holding>>();

  /** @param before - the state that it replaces */
  setState(state: AccountState, before: AccountState | null): void {
    const facts = deriveAccountFacts(state.current);
    this.writes.set(state.current.address, { state, facts });
    const was = before === null ? null : deriveAccountFacts(before.current).holding;
    // Most writes of token accounts only change an amount.
    if (isSameHolding(was, facts.holding)) return;
    for (const holding of [was, facts.holding]) if (holding !== null) this.#addHolding(holding);
  }

  setLedger(state: LedgerState): void {
    this.ledgerStates.set(ledgerKey(state.kind, state.key), state);
  }

  addLink(link: Link): void {
    this.#changeLink(link, false);
  }

  removeLink(link: Link): void {
    this.#changeLink(link, true);
  }

  setAsset(id: AddressBytes, asset: Asset | null): void {
    putAssetChange(this.assetChanges, addressKey(id), packChange({ id, asset, isRecreated: false }));
  }

  setNext(id: AddressBytes, asset: Asset | null): void {
    if (this.nextChanges === null) throw brokenInvariant("no rules of a next set were given");
    putAssetChange(this.nextChanges, addressKey(id), packChange({ id, asset, isRecreated: false }));
  }

  setEdition(address: AddressBytes, edition: Edition | null): void {
    this.editionChanges.set(addressKey(address), { address, edition });
  }

  /** Adds what a later delta changes. */
  append(delta: DeltaMaps): void {
    delta.writes.forEach((address, write, hash) => this.writes.set(address, write, hash));
    copyLists(this.links, delta.links);
    for (const [key, state] of delta.ledgerStates) {
      const before = state.kind === "nodes" ? this.ledgerStates.get(key) : undefined;
      this.ledgerStates.set(key, before === undefined ? state : mergeBlocks([before, state]));
    }
    delta.seen.forEach((address, slot, hash) => this.seen.set(address, slot, hash));
    for (const [key, change] of delta.assetChanges) putAssetChange(this.assetChanges, key, change);
    copyInto(this.editionChanges, delta.editionChanges);
    if (delta.nextChanges !== null) {
      this.nextChanges ??= new Map();
      for (const [key, change] of delta.nextChanges) putAssetChange(this.nextChanges, key, change);
    }
    copyLists(this.holdings, delta.holdings);
  }

  finish(watermark: Watermark | null): Delta {
    return new Delta(this, watermark);
  }

  /** A link that is removed and added again, or the other way round, is as it was. */
  #changeLink(link: Link, removed: boolean): void {
    const list = listIn(this.links, listKey(link.role, link.target));
    const source = addressKey(link.source);
    const known = list.get(source);
    if (known !== undefined && known.removed !== removed) list.delete(source);
    else list.set(source, { link, removed });
  }

  #addHolding(holding: Holding): void {
    const { tokenOwner, tokenAccount, mint } = holding;
    const key = addressKey(tokenAccount) + addressKey(mint);
    listIn(this.holdings, addressKey(tokenOwner)).set(key, holding);
  }
}

/** The changes of a path as one delta: per key what holds last. */
export const mergeDeltas = (path: Path, watermark: Watermark | null = null): Delta => {
  if (path.length === 1) return new Delta(path[0]!, watermark);
  const draft = new DeltaDraft();
  for (const delta of path.toReversed()) draft.append(delta);
  return draft.finish(watermark);
};

/** The assets that a path changes, as they are at its end. */
export const mergeAssetChanges = (path: Path): ReadonlyMap<string, AssetChange> => {
  const merged = new Map<string, AssetChange>();
  for (const { assetChanges } of path.toReversed())
    for (const [key, change] of assetChanges) putAssetChange(merged, key, change);
  return merged;
};

/** An asset that comes again is a new one: it takes its place at the end. */
const putAssetChange = (changes: Map<string, AssetChange>, key: string, change: AssetChange): void => {
  const before = changes.get(key);
  const wasGone = before?.asset === null;
  if (wasGone || change.isRecreated) changes.delete(key);
  const isRecreated = change.isRecreated || wasGone || before?.isRecreated === true;
  changes.set(key, isRecreated === change.isRecreated ? change : { ...change, isRecreated });
};

const listIn = <Value>(lists: Map<string, Map<string, Value>>, key: string): Map<string, Value> => {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list = new Map<string, Value>();
  lists.set(key, list);
  return list;
};

const copyLists = <Value>(
  target: Map<string, Map<string, Value>>,
  source: ReadonlyMap<string, ReadonlyMap<string, Value>>,
): void => {
  for (const [key, list] of source) {
    const known = target.get(key);
    if (known === undefined) target.set(key, new Map(list));
    else copyInto(known, list);
  }
};

const copyInto = <Value>(target: Map<string, Value>, source: ReadonlyMap<string, Value>): void => {
  for (const [key, value] of source) target.set(key, value);
};

const isSameHolding = (a: Holding | null, b: Holding | null): boolean =>
  a === null || b === null
    ? a === b
    : a.positive === b.positive && sameBytes(a.tokenOwner, b.tokenOwner) && sameBytes(a.mint, b.mint);
