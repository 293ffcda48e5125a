import { isTokenProgram, programAddresses, sameBytes } from "@lamplight/codecs";
import type { Account, Slot } from "@lamplight/core";
import { countsForAccounts, generateChain, type Random } from "@lamplight/devchain";

/**
 * Shares of a thousand updates in a slot of the chain, by the work that they cause in an index. A move of an NFT is two
 * of them, and one of the two is an account that was not there before.
 */
const shares = { balances: 600, wallets: 200, others: 150, supplies: 30, moves: 10 } as const;
/** Half of all writes fall on one account in fifty: vaults, fee accounts, markets. */
const HOT_PER_CENT = 50;
const HOT_ONE_IN = 50;

const TOKEN_ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
const SUPPLY_AT = 36;
const AMOUNT_AT = 64;
const OWNER_AT = 32;

type Kind = keyof typeof shares;

/** Account updates of a busy chain, over the accounts of a generated one. */
export class Traffic {
  readonly #random: Random;
  readonly #pools: Readonly<Record<Kind, Account[]>>;
  #writeVersion = 0;

  constructor(seed: number, accounts: number, random: Random) {
    this.#random = random;
    this.#pools = poolsOf(seed, accounts);
  }

  /** So many updates of one slot, or one more. */
  next(slot: Slot, count: number): Account[] {
    const updates: Account[] = [];
    while (updates.length < count) {
      const kind = this.#someKind();
      const pool = this.#pools[kind];
      const place = this.#somePlace(pool.length);
      const written = this.#change(kind, pool[place]!).map((account): Account => {
        this.#writeVersion += 1;
        return { ...account, slot, writeVersion: this.#writeVersion };
      });
      pool[place] = written.at(-1)!;
      updates.push(...written);
    }
    return updates;
  }

  #someKind(): Kind {
    let left = this.#random.below(Object.values(shares).reduce((sum, share) => sum + share, 0));
    for (const [kind, share] of Object.entries(shares)) {
      if (left < share) return kind as Kind;
      left -= share;
    }
    return "balances";
  }

  #somePlace(length: number): number {
    return this.#random.below(this.#random.percent(HOT_PER_CENT) ? Math.ceil(length / HOT_ONE_IN) : length);
  }

  #change(kind: Kind, account: Account): readonly Account[] {
    const { data } = account;
    switch (kind) {
      case "balances":
        return [{ ...account, data: withU64(data, AMOUNT_AT, BigInt(2 + this.#random.below(1_000_000))) }];
      case "wallets":
        return [{ ...account, lamports: account.lamports + BigInt(1 + this.#random.below(10_000)) }];
      case "others":
        return [{ ...account, data: withByte(data, data.length - 1, this.#random.below(256)) }];
      case "supplies":
        return [
          { ...account, data: withU64(data, SUPPLY_AT, BigInt(2 + this.#random.below(1_000_000_000))) },
        ];
      case "moves":
        return this.#move(account);
      default:
        return kind satisfies never;
    }
  }

  /** Out of the account that holds it, into a new one of someone else. */
  #move(account: Account): readonly Account[] {
    const wallets = this.#pools.wallets;
    const next = Uint8Array.from(account.data);
    next.set(wallets[this.#random.below(wallets.length)]!.address, OWNER_AT);
    return [
      { ...account, data: withU64(account.data, AMOUNT_AT, 0n) },
      { ...account, address: this.#random.bytes(32), data: next },
    ];
  }
}

const poolsOf = (seed: number, accounts: number): Readonly<Record<Kind, Account[]>> => {
  const newest = new Map<string, Account>();
  const counts = countsForAccounts(accounts);
  for (const batch of generateChain({ seed, counts, derivedAddresses: "hash-once" })) {
    for (const account of batch.accounts)
      newest.set(Buffer.from(account.address).toString("latin1"), account);
  }
  const pools: Record<Kind, Account[]> = { balances: [], wallets: [], others: [], supplies: [], moves: [] };
  for (const account of newest.values()) {
    const kind = account.lamports === 0n ? null : kindOf(account);
    if (kind !== null) pools[kind].push(account);
  }
  return pools;
};

const kindOf = ({ programOwner, data }: Account): Kind | null => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (sameBytes(programOwner, programAddresses.system)) return data.length === 0 ? "wallets" : null;
  if (isTokenProgram(programOwner)) {
    if (data.length === TOKEN_ACCOUNT_BYTES)
      return bytes.readBigUInt64LE(AMOUNT_AT) === 1n ? "moves" : "balances";
    return data.length === MINT_BYTES && bytes.readBigUInt64LE(SUPPLY_AT) > 1n ? "supplies" : null;
  }
  return sameBytes(programOwner, programAddresses.tokenMetadata) || data.length === 0 ? null : "others";
};

const withU64 = (data: Uint8Array, at: number, value: bigint): Uint8Array => {
  const changed = Uint8Array.from(data);
  new DataView(changed.buffer).setBigUint64(at, value, true);
  return changed;
};

const withByte = (data: Uint8Array, at: number, value: number): Uint8Array => {
  const changed = Uint8Array.from(data);
  changed[at] = value;
  return changed;
};
