import { isTokenProgram } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { type Draft, tombstoneOf } from "../draft.ts";
import type { Random } from "../random.ts";

const TOKEN_ACCOUNT_BYTES = 165;
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const DELEGATE_TAG_AT = 72;
const DELEGATE_AT = 76;
const STATE_AT = 108;
const FROZEN = 2;
const MINT_SUPPLY_AT = 36;
const MINT_BYTES = 82;
const MANY_LAMPORTS = 10n ** 15n;

/** One plausible next write of a living account: lamports move, tokens move, something is delegated, sold or closed. */
export const changeAccount = (account: Account, pool: readonly Draft[], random: Random): Draft => {
  if (random.percent(18)) return tombstoneOf(account.address);
  if (isTokenProgram(account.programOwner) && account.data.length >= TOKEN_ACCOUNT_BYTES)
    return { ...account, data: changeTokenAccount(account.data, pool, random) };
  if (isTokenProgram(account.programOwner) && account.data.length === MINT_BYTES && random.percent(70))
    return { ...account, data: withU64(account.data, MINT_SUPPLY_AT, BigInt(random.below(3))) };
  // An emptied account, as programs leave it: one byte.
  if (account.data.length > 1 && random.percent(8)) return { ...account, data: Uint8Array.of(0) };
  const lamports = account.lamports + BigInt(random.below(1_000_000_000));
  return {
    ...account,
    lamports: random.percent(30) && lamports < MANY_LAMPORTS ? lamports * 1000n : lamports,
  };
};

const changeTokenAccount = (data: Uint8Array, pool: readonly Draft[], random: Random): Uint8Array => {
  const address = pool[random.below(pool.length)]!.address;
  switch (random.below(5)) {
    case 0:
      return withU64(data, AMOUNT_AT, BigInt(random.below(3)));
    case 1:
      return withBytes(data, OWNER_AT, address);
    case 2:
      return withBytes(withBytes(data, DELEGATE_TAG_AT, Uint8Array.of(1, 0, 0, 0)), DELEGATE_AT, address);
    case 3:
      return withBytes(data, DELEGATE_TAG_AT, Uint8Array.of(0, 0, 0, 0));
    default:
      return withBytes(data, STATE_AT, Uint8Array.of(random.percent(50) ? FROZEN : 1));
  }
};

const withBytes = (data: Uint8Array, at: number, bytes: Uint8Array): Uint8Array => {
  const changed = Uint8Array.from(data);
  changed.set(bytes, at);
  return changed;
};

const withU64 = (data: Uint8Array, at: number, value: bigint): Uint8Array => {
  const changed = Uint8Array.from(data);
  new DataView(changed.buffer).setBigUint64(at, value, true);
  return changed;
};
