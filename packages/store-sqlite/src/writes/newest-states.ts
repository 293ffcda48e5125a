import { type Account, type AccountState, type AddressBytes, AddressMap } from "@lamplight/core";

/** Accounts with more data are not cached: few of them are written often, and each takes the space of many. */
const DATA_BYTES_MAX = 1024;

/**
 * Caches the newest states of accounts in the table `account` that were read or written last. Accounts that are
 * written often are then read once. Only the one writer of a file may use it.
 */
export class NewestStates {
  readonly #half: number;
  /** Two generations. When one is full, states that were not used since the last change are dropped. */
  #young = new AddressMap<AccountState>();
  #old = new AddressMap<AccountState>();

  /** @param max - states kept at most */
  constructor(max: number) {
    this.#half = Math.ceil(max / 2);
  }

  find(address: AddressBytes): AccountState | undefined {
    const young = this.#young.get(address);
    if (young !== undefined) return young;
    const old = this.#old.get(address);
    if (old !== undefined) this.#enter(old);
    return old;
  }

  put(state: AccountState): void {
    const { current, lastLife } = state;
    if (current.lamports === 0n || lastLife !== null || current.data.length > DATA_BYTES_MAX)
      this.drop(current.address);
    else this.#enter({ current: owned(current), lastLife: null });
  }

  drop(address: AddressBytes): void {
    this.#young.delete(address);
    this.#old.delete(address);
  }

  clear(): void {
    this.#young = new AddressMap();
    this.#old = new AddressMap();
  }

  #enter(state: AccountState): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new AddressMap();
    }
    this.#young.set(state.current.address, state);
  }
}

/**
 * The account with a copy of its data, which is often a view into something larger that would stay in memory. The
 * program is a shared array.
 */
const owned = (account: Account): Account => {
  const { address, data } = account;
  const bytes = new Uint8Array(address.length + data.length);
  bytes.set(address);
  bytes.set(data, address.length);
  return {
    ...account,
    address: bytes.subarray(0, address.length),
    data: bytes.subarray(address.length),
  };
};
