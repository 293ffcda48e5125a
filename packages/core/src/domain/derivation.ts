import type { AddressBytes } from "./address.ts";
import type { Asset } from "./asset.ts";

/**
 * The version of the rules that make an asset of the accounts and leaves around it. Raise it with every change of what
 * they make of the same states, and keep the rules of the version before (indexer's `derivations.ts`). A store keeps
 * the number of the rules that its assets were derived by. Stores without a number are of version 1.
 */
export const DERIVATION = 1;

/** Name of that number among a store's settings. */
export const derivationKey = "derivation";

/** Name of the setting that describes the next set of assets, as JSON: a `NextProgress`. Absent where there is none. */
export const nextDerivationKey = "next_derivation";

// The next set: assets as the rules of another version derive them, where that differs from the rows that answer. It
// waits next to these rows until it is complete, and then replaces them in one commit.

/** One asset of the next set. */
export interface NextRow {
  /** Its address, by which it is found. */
  readonly id: AddressBytes;
  /** Opaque to stores; null = the row that answers is right, and nothing waits for this asset. */
  readonly body: Uint8Array | null;
}

/** How far the next set is filled. */
export interface NextProgress {
  /** Version of the rules that derive it. */
  readonly version: number;
  /** Hex of the last id that was compared, in the order of ids; null before the first. */
  readonly after: string | null;
  /** Whether all ids were compared. */
  readonly isFilled: boolean;
}

/** The rules behind the assets of a store. */
export interface DerivationState {
  /** Version of the rules that derived the rows that answer. */
  readonly version: number;
  /** Null = no other set is derived. */
  readonly next: NextProgress | null;
}

/** An id that was ever seen, and its asset. */
export interface SeenAsset {
  /** An asset, or an account that is a part of one. */
  readonly id: AddressBytes;
  /** Null where there is no asset. */
  readonly asset: Asset | null;
}

/** Reads both settings from their texts. */
export const derivationStateOf = (read: (key: string) => string | undefined): DerivationState => {
  const next = read(nextDerivationKey);
  return {
    version: Number(read(derivationKey) ?? 1),
    next: next === undefined ? null : (JSON.parse(next) as NextProgress),
  };
};

/** Share of the ids that were compared, 0 to 1. Ids are spread evenly, so the first bytes of the last one suffice. */
export const shareDone = ({ after, isFilled }: NextProgress): number => {
  if (isFilled) return 1;
  return after === null ? 0 : Number.parseInt(after.slice(0, 8), 16) / 2 ** 32;
};
