import {
  type AccountWrite,
  AddressMap,
  type Asset,
  type ChangeSet,
  type Edition,
  type LedgerState,
  type Link,
  type Slot,
  type Watermark,
} from "@lamplight/core";
import type { Path } from "./delta.ts";

/** One atomic step that takes the finalized store to the newest slot of a path: per key what holds last. */
export const mergePath = (path: Path, watermark: Watermark): ChangeSet => {
  const accounts = new AddressMap<AccountWrite>();
  const links = new Map<string, { readonly link: Link; readonly removed: boolean }>();
  const ledger = new Map<string, LedgerState>();
  const seen = new AddressMap<Slot>();
  const assets = new Map<string, Asset>();
  const assetsRemoved = new Map<string, Uint8Array>();
  const editions = new Map<string, { readonly address: Uint8Array; readonly edition: Edition | null }>();
  for (const changes of path.toReversed()) {
    for (const write of changes.accounts.values()) accounts.set(write.state.current.address, write);
    for (const [list, sources] of changes.links) {
      for (const [source, change] of sources) links.set(list + source, change);
    }
    for (const [key, state] of changes.ledger) ledger.set(key, state);
    for (const { address, value } of changes.seen.entries()) seen.set(address, value);
    for (const [key, { id, asset }] of changes.assets) {
      if (asset === null) {
        assets.delete(key);
        assetsRemoved.set(key, id);
      } else assets.set(key, asset);
    }
    for (const [key, change] of changes.editions) editions.set(key, change);
  }
  const lastLinks = [...links.values()];
  const lastEditions = [...editions.values()];
  return {
    watermark,
    accounts: accounts.values(),
    linksAdded: lastLinks.filter(({ removed }) => !removed).map(({ link }) => link),
    linksRemoved: lastLinks.filter(({ removed }) => removed).map(({ link }) => link),
    assets: [...assets.values()],
    assetsRemoved: [...assetsRemoved.values()],
    assetsSeen: seen.entries().map(({ address, value }) => ({ id: address, slot: value })),
    editions: lastEditions.flatMap(({ edition }) => edition ?? []),
    editionsRemoved: lastEditions.filter(({ edition }) => edition === null).map(({ address }) => address),
    ledger: [...ledger.values()],
  };
};
