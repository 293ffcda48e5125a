// Accounts made by hand, each with one trait that a rule of the account methods turns on.
import { programAddresses, sysvarAddresses } from "@lamplight/codecs";
import type { Account, Profile } from "@lamplight/core";
import type { Lab } from "../lab.ts";

/** 32 equal bytes but for the last one, so that order within a family is plain to see. */
export const addressOf = (byte: number, last: number = byte): Uint8Array => {
  const address = new Uint8Array(32).fill(byte);
  address[31] = last;
  return address;
};

/** An address whose first byte decides where it is sorted; above 127 where signed bytes would go wrong. */
export const startingWith = (first: number): Uint8Array => {
  const address = new Uint8Array(32).fill(7);
  address[0] = first;
  return address;
};

export const accountAt = (
  address: Uint8Array,
  programOwner: Uint8Array,
  data: Uint8Array,
  traits: { readonly lamports?: bigint; readonly slot?: number } = {},
): Account => ({
  address,
  programOwner,
  lamports: traits.lamports ?? 1000n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data,
  slot: traits.slot ?? 10,
  writeVersion: 0,
});

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer);

/** A mint; with extensions where some are given. */
export const mintData = (supply: bigint, decimals: number, extensions?: Uint8Array): Uint8Array => {
  const data = new Uint8Array(extensions === undefined ? 82 : 166 + extensions.length);
  viewOf(data).setBigUint64(36, supply, true);
  data[44] = decimals;
  data[45] = 1;
  if (extensions !== undefined) {
    data[165] = 1;
    data.set(extensions, 166);
  }
  return data;
};

export interface TokenTraits {
  readonly delegate: Uint8Array;
  /** The four bytes of the delegate's option tag; default 1, 0, 0, 0. */
  readonly tag?: readonly number[];
  readonly state?: number;
  readonly length?: number;
  /** Byte 165 of a longer account; default 2. */
  readonly type?: number;
  readonly delegatedAmount?: bigint;
  /** Rent-exempt reserve of a native account. */
  readonly native?: bigint;
}

/** A token account of five raw units. */
export const tokenData = (mint: Uint8Array, traits: TokenTraits): Uint8Array => {
  const data = new Uint8Array(traits.length ?? 165);
  data.set(mint, 0);
  data.fill(9, 32, 64);
  data[64] = 5;
  data.set(traits.tag ?? [1, 0, 0, 0], 72);
  data.set(traits.delegate, 76);
  data[108] = traits.state ?? 1;
  data[109] = traits.native === undefined ? 0 : 1;
  viewOf(data).setBigUint64(113, traits.native ?? 0n, true);
  viewOf(data).setBigUint64(121, traits.delegatedAmount ?? 0n, true);
  if (data.length > 165) data[165] = traits.type ?? 2;
  return data;
};

/** An interest-bearing extension whose last rate begins at `since`. */
export const interestExtension = (started: bigint, since: bigint, rate: number): Uint8Array => {
  const data = new Uint8Array(56);
  const view = viewOf(data);
  view.setUint16(0, 10, true);
  view.setUint16(2, 52, true);
  view.setBigInt64(36, started, true);
  view.setBigInt64(46, since, true);
  view.setInt16(54, rate, true);
  return data;
};

/** A multiplier of two that becomes three at second 100. */
export const scaledExtension = (): Uint8Array => {
  const data = new Uint8Array(60);
  const view = viewOf(data);
  view.setUint16(0, 25, true);
  view.setUint16(2, 56, true);
  view.setFloat64(36, 2, true);
  view.setBigInt64(44, 100n, true);
  view.setFloat64(52, 3, true);
  return data;
};

export interface StakeTraits {
  /** 1 = initialized, 2 = delegated. */
  readonly tag: number;
  readonly timestamp?: bigint;
  readonly epoch?: bigint;
  readonly withdrawer?: Uint8Array;
}

export const stakeData = (traits: StakeTraits): Uint8Array => {
  const data = new Uint8Array(200);
  const view = viewOf(data);
  view.setUint32(0, traits.tag, true);
  data.set(traits.withdrawer ?? addressOf(3), 44);
  view.setBigInt64(76, traits.timestamp ?? 0n, true);
  view.setBigUint64(84, traits.epoch ?? 0n, true);
  return data;
};

/** The Clock sysvar, holding one lamport so that it stays out of the richest. */
export const clockAt = (slot: number, unixTimestamp: bigint, epoch = 0n): Account => {
  const data = new Uint8Array(40);
  viewOf(data).setBigUint64(16, epoch, true);
  viewOf(data).setBigInt64(32, unixTimestamp, true);
  return accountAt(sysvarAddresses.clock, programAddresses.sysvar, data, { lamports: 1n, slot });
};

/** The `value` member of an answer, or the refusal as `code message`. */
export const valueOf = async (
  lab: Lab,
  method: string,
  params: readonly unknown[],
  profile: Profile = "agave",
): Promise<unknown> => {
  const answer = await lab.call(method, params, profile);
  if (answer.error !== null) return `${answer.error.code} ${answer.error.message}`;
  return (answer.result as { value: unknown } | null)?.value;
};
