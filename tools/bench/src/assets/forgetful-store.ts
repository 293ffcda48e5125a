import { type ChangeSet, DERIVATION, type DerivationState } from "@lamplight/core";
import type { createIndexer } from "@lamplight/indexer";

type StateStore = Parameters<typeof createIndexer>[0];

/** Holds nothing and keeps nothing, so that what is measured is the indexer alone; counts what it is given. */
export class ForgetfulStore implements StateStore {
  assets = 0;

  commit(changes: ChangeSet): { changeSeq: number; ordinals: number[] } {
    this.assets += changes.assets.length;
    return { changeSeq: this.assets, ordinals: changes.assets.map((_, index) => index) };
  }

  readDerivation(): DerivationState {
    return { version: DERIVATION, next: null };
  }

  readAccountStates(addresses: readonly unknown[]): null[] {
    return addresses.map(() => null);
  }
  readLinks(): [] {
    return [];
  }
  readLinkPage(): [] {
    return [];
  }
  readLedger(_kind: unknown, keys: readonly unknown[]): null[] {
    return keys.map(() => null);
  }
  readSeenSlots(ids: readonly unknown[]): null[] {
    return ids.map(() => null);
  }
}
