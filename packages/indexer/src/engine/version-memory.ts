import { type Account, type AccountState, type AddressBytes, closedAccount } from "@lamplight/core";
import { addressKey } from "./address-map.ts";
import { REMEMBERED_ACCOUNT_BYTES, rememberedBytesMax, VERSIONS_PER_ACCOUNT_MAX } from "./limits.ts";
import { type LifeRank, lifeRanks, versionsOf } from "./merge-version.ts";

interface Remembered {
  readonly versions: readonly Account[];
  readonly bytes: number;
}

/**
 * The versions that states have not kept, of accounts of which several slots were received. A slot may come in parts, and
 * later than newer ones. If its last write comes after another write of it, that one never was a state, and what the
 * state kept of an earlier slot counts again.
 *
 * An account that comes with one version takes no memory. Beyond the bound the accounts that were noted first are forgotten: a
 * slot of theirs that comes in parts then counts by what is left.
 */
export class VersionMemory {
  readonly #bytesMax: number;
  readonly #accounts = new Map<string, Remembered>();
  #bytes = 0;

  constructor(bytesMax: number = rememberedBytesMax()) {
    this.#bytesMax = bytesMax;
  }

  /** The known versions of an account, each of another slot: those of the state, and those that it has not kept. */
  versionsOf(address: AddressBytes, state: AccountState | null): readonly Account[] {
    const kept = versionsOf(state);
    // Nearly always: while a chain is followed, each slot comes as a whole.
    if (this.#accounts.size === 0) return kept;
    const remembered = this.#accounts.get(addressKey(address))?.versions ?? [];
    return remembered.length === 0
      ? kept
      : [...kept, ...remembered.filter(({ slot }) => kept.every((one) => one.slot !== slot))];
  }

  /** Takes in what the new state of an account does not keep. */
  note(versions: readonly Account[], state: AccountState, rankOf: (account: Account) => LifeRank): void {
    const kept = versionsOf(state);
    const rest = versions.filter((one) => !kept.includes(one));
    if (rest.length === 0 && this.#accounts.size === 0) return;
    const key = addressKey(state.current.address);
    this.#forget(key);
    if (rest.length === 0) return;
    const newest = rest.toSorted((a, b) => b.slot - a.slot).slice(0, VERSIONS_PER_ACCOUNT_MAX);
    // A version without a life counts only by its slot and write version.
    const small = newest.map((one) =>
      rankOf(one) === lifeRanks.none ? closedAccount(one.address, one.slot, one.writeVersion) : one,
    );
    const bytes = small.reduce((sum, { data }) => sum + data.length + REMEMBERED_ACCOUNT_BYTES, 0);
    this.#accounts.set(key, { versions: small, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#accounts.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#accounts.get(key)?.bytes ?? 0;
    this.#accounts.delete(key);
  }
}
