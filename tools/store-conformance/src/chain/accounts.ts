import { programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type AccountState,
  type AccountWrite,
  type AddressBytes,
  deriveAccountFacts,
} from "@lamplight/core";
import { addressOf } from "./addresses.ts";

const RENT_EXEMPT = 2n ** 64n - 1n;

/** A wallet, unless reported otherwise. */
export const accountOf = (name: string | number, parts: Partial<Account> = {}): Account => ({
  address: addressOf(name),
  programOwner: programAddresses.system,
  lamports: 1_000_000n,
  executable: false,
  rentEpoch: RENT_EXEMPT,
  data: new Uint8Array(0),
  slot: 1,
  writeVersion: 0,
  ...parts,
});

/** The closing of an account: no lamports, no data. */
export const tombstoneOf = (name: string | number, slot: number, parts: Partial<Account> = {}): Account =>
  accountOf(name, { lamports: 0n, data: new Uint8Array(0), slot, ...parts });

/** A write as an indexer makes it: facts derived from the bytes. */
export const writeOf = (current: Account, lastLife: Account | null = null): AccountWrite => ({
  state: { current, lastLife },
  facts: deriveAccountFacts(current),
});

export const stateOf = (current: Account, lastLife: Account | null = null): AccountState => ({
  current,
  lastLife,
});

export interface TokenParts {
  readonly mint: AddressBytes;
  readonly tokenOwner: AddressBytes;
  readonly amount?: bigint;
  readonly delegate?: AddressBytes;
  /** 0 uninitialized, 1 initialized, 2 frozen; others exist only as damage. */
  readonly state?: number;
}

const tokenData = (parts: TokenParts): Uint8Array => {
  const data = new Uint8Array(165);
  data.set(parts.mint, 0);
  data.set(parts.tokenOwner, 32);
  new DataView(data.buffer).setBigUint64(64, parts.amount ?? 0n, true);
  if (parts.delegate !== undefined) {
    data[72] = 1;
    data.set(parts.delegate, 76);
  }
  data[108] = parts.state ?? 1;
  return data;
};

export const tokenAccountOf = (
  name: string | number,
  token: TokenParts,
  parts: Partial<Account> = {},
): Account => accountOf(name, { programOwner: programAddresses.token, data: tokenData(token), ...parts });

export interface StakeParts {
  readonly lockupTimestamp?: bigint;
  readonly lockupEpoch?: bigint;
  readonly withdrawer?: AddressBytes;
}

/** An initialized stake account. */
export const stakeAccountOf = (
  name: string | number,
  stake: StakeParts,
  parts: Partial<Account> = {},
): Account => {
  const data = new Uint8Array(200);
  const view = new DataView(data.buffer);
  data[0] = 1;
  data.set(stake.withdrawer ?? addressOf("withdrawer"), 44);
  view.setBigInt64(76, stake.lockupTimestamp ?? 0n, true);
  view.setBigUint64(84, stake.lockupEpoch ?? 0n, true);
  return accountOf(name, { programOwner: programAddresses.stake, data, ...parts });
};

/** A master edition account of Token Metadata. */
export const masterEditionData = (supply: bigint, maxSupply: bigint | null): Uint8Array => {
  const data = new Uint8Array(282);
  const view = new DataView(data.buffer);
  data[0] = 6;
  view.setBigUint64(1, supply, true);
  if (maxSupply !== null) {
    data[9] = 1;
    view.setBigUint64(10, maxSupply, true);
  }
  return data;
};

/** A print's edition account. */
export const editionData = (parent: AddressBytes, number: bigint): Uint8Array => {
  const data = new Uint8Array(241);
  data[0] = 1;
  data.set(parent, 1);
  new DataView(data.buffer).setBigUint64(33, number, true);
  return data;
};
