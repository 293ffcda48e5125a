import type { Asset, AddressBytes, Edition } from "@lamplight/core";
import { shapeAsset } from "../record/shape-asset.ts";
import type { DerivedAsset, RuleBook } from "../rules/rules.ts";
import { AddressMap } from "./address-map.ts";
import type { ClaimReader } from "./claims.ts";
import { loadViews, type LoadedView } from "./load-views.ts";
import type { RoundReader } from "./round-reader.ts";

/** What one asset id derives to. */
export interface Derivation {
  readonly id: AddressBytes;
  /** Null when there is no asset under this id. */
  readonly asset: Asset | null;
  readonly editions: readonly Edition[];
  readonly editionAddresses: readonly AddressBytes[];
}

/** Derives assets anew from the states around them; same order as asked. */
export const deriveAssets = async (
  ids: readonly AddressBytes[],
  reader: RoundReader,
  claims: ClaimReader,
  rules: RuleBook,
): Promise<Derivation[]> => {
  const views = await loadViews(ids, reader, claims);
  const records = new AddressMap<number>();
  const addresses = views.flatMap((view) => view.records);
  const slots = await reader.readSeen(addresses);
  for (const [index, address] of addresses.entries()) {
    const slot = slots[index];
    if (slot !== null && slot !== undefined) records.set(address, slot);
  }
  return views.map((view) => derive(view, rules, records));
};

const derive = (view: LoadedView, rules: RuleBook, seen: AddressMap<number>): Derivation => {
  const derived = deriveKind(view, rules);
  if (derived === null) return { id: view.id, asset: null, editions: [], editionAddresses: [] };
  const { editions, editionAddresses } = derived;
  if (derived.record === null) return { id: view.id, asset: null, editions, editionAddresses };
  let record = derived.record;
  for (const addition of rules.additions) record = addition.add(view, record);
  const slots = view.records.map((address) => seen.get(address) ?? record.updatedSlot);
  return { id: view.id, asset: shapeAsset(record, Math.min(...slots)), editions, editionAddresses };
};

const deriveKind = (view: LoadedView, rules: RuleBook): DerivedAsset | null => {
  for (const kind of rules.kinds) {
    const derived = kind.derive(view);
    if (derived !== null) return derived;
  }
  return null;
};
