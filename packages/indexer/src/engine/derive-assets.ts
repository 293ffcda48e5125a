import type { Asset, AddressBytes, Edition, Slot } from "@lamplight/core";
import type { AssetRecord } from "../record/asset-record.ts";
import type { DerivationRules, DerivedAsset, RuleBook } from "../rules/rules.ts";
import { AddressMap } from "./address-map.ts";
import type { ClaimReader } from "./claims.ts";
import { loadViews, type LoadedView } from "./load-views.ts";
import type { RoundReader } from "./round-reader.ts";

/** The result of deriving one asset id. */
export interface DerivedId {
  readonly id: AddressBytes;
  /** Null when there is no asset under this id. */
  readonly asset: Asset | null;
  /** The asset by the rules of the next set; undefined where none is derived. */
  readonly next: Asset | null | undefined;
  readonly editions: readonly Edition[];
  readonly editionAddresses: readonly AddressBytes[];
}

/**
 * Derives assets again from the states around them; same order as asked.
 *
 * @param next - rules of the next set, which read the same states
 */
export const deriveAssets = async (
  ids: readonly AddressBytes[],
  reader: RoundReader,
  claims: ClaimReader,
  rules: RuleBook,
  next: DerivationRules | null = null,
): Promise<DerivedId[]> => {
  const views = await loadViews(ids, reader, claims, rules.ledgers);
  const records = new AddressMap<number>();
  const addresses = views.flatMap((view) => view.records);
  const slots = await reader.readSeen(addresses);
  for (const [index, address] of addresses.entries()) {
    const slot = slots[index];
    if (slot !== null && slot !== undefined) records.set(address, slot);
  }
  return views.map((view) => {
    const derived = deriveView(view, rules, records);
    const { id, editions, editionAddresses } = derived;
    return {
      id,
      editions,
      editionAddresses,
      asset: shapeBy(rules, derived),
      next: next === null ? undefined : shapeBy(next, deriveView(view, next, records)),
    };
  });
};

const shapeBy = ({ shape }: DerivationRules, { record, createdSlot }: DerivedRecord): Asset | null =>
  record === null ? null : shape(record, createdSlot);

type DerivedRecord = Omit<DerivedId, "asset" | "next"> & {
  readonly record: AssetRecord | null;
  readonly createdSlot: Slot;
};

/** @param seen - lowest slots of `view.records`, where they are known */
export const deriveView = (
  view: LoadedView,
  rules: DerivationRules,
  seen: Pick<AddressMap<Slot>, "get">,
): DerivedRecord => {
  const derived = deriveKind(view, rules);
  const none = { id: view.id, record: null, createdSlot: 0 };
  if (derived === null) return { ...none, editions: [], editionAddresses: [] };
  const { editions, editionAddresses } = derived;
  if (derived.record === null) return { ...none, editions, editionAddresses };
  let record = derived.record;
  for (const addition of rules.additions) record = addition.add(view, record);
  const slots = view.records.map((address) => seen.get(address) ?? record.updatedSlot);
  return { id: view.id, record, createdSlot: Math.min(...slots), editions, editionAddresses };
};

/** Editions that a kind proves count even where the asset itself is of another kind. */
const deriveKind = (view: LoadedView, rules: DerivationRules): DerivedAsset | null => {
  let editionsOnly: DerivedAsset | null = null;
  for (const kind of rules.kinds) {
    const derived = kind.derive(view);
    if (derived === null) continue;
    if (derived.record !== null)
      return editionsOnly === null ? derived : { ...editionsOnly, record: derived.record };
    editionsOnly ??= derived;
  }
  return editionsOnly;
};
