import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  decodeAddress,
  decodeMint,
  decodeTokenAccount,
  encodeAddress,
  isTokenProgram,
  programAddresses,
  sameBytes,
  sysvarAddressTexts,
} from "@lamplight/codecs";
import { type Account, parseAccount, writeJson } from "@lamplight/core";
import { countsForAccounts } from "./chain-options.ts";
import { demoChain, demoOptions } from "./demo-chain.ts";
import { generateChain } from "./generate-chain.ts";

const digestOf = (batches: Iterable<{ readonly accounts: readonly Account[] }>): string => {
  const digest = createHash("sha256");
  for (const { accounts } of batches) {
    for (const account of accounts) {
      digest.update(account.address).update(account.programOwner).update(account.data);
      digest.update(
        `${account.lamports} ${account.rentEpoch} ${account.executable} ${account.slot} ${account.writeVersion};`,
      );
    }
  }
  return digest.digest("hex");
};

/** The living accounts once everything is applied, by address. */
const finalState = (): Map<string, Account> => {
  const state = new Map<string, Account>();
  for (const { accounts } of demoChain()) {
    for (const account of accounts) {
      const address = encodeAddress(account.address);
      if (account.lamports === 0n) state.delete(address);
      else state.set(address, account);
    }
  }
  return state;
};

describe("generateChain", () => {
  test("gives the same bytes for the same seed, on every machine and in every version", () => {
    // A changed digest means that examples, transcripts and stores built from the demo chain are out of date.
    expect(digestOf(demoChain())).toBe("e52883d233bbe06fcd66e7b7e3bb3f2c2c32a0e7e4397218bd760a36ab622f1d");
  });

  test("gives other bytes for another seed", () => {
    expect(digestOf(generateChain({ ...demoOptions, seed: 5 }))).not.toBe(digestOf(demoChain()));
  });

  test("numbers slots and writes upwards and holds batches to the size asked for", () => {
    let writes = 0;
    let slot = 299_999_999;
    for (const batch of demoChain()) {
      expect(batch.slot).toBe(slot + 1);
      slot = batch.slot;
      expect(decodeAddress(batch.blockhash)).toHaveLength(32);
      expect(batch.accounts.length).toBeLessThanOrEqual(500);
      for (const account of batch.accounts) {
        expect(account.slot).toBe(slot);
        expect(account.writeVersion).toBe(writes);
        writes += 1;
      }
    }
    const clock = finalState().get(sysvarAddressTexts.clock);
    expect(Buffer.from(clock?.data ?? []).readBigUInt64LE(0)).toBe(BigInt(slot));
  });

  test("gives every mint the supply that its accounts hold together", () => {
    const held = new Map<string, bigint>();
    const supplies = new Map<string, bigint>();
    for (const [address, account] of finalState()) {
      if (!isTokenProgram(account.programOwner)) continue;
      const mint = decodeMint(account.data);
      const holding = decodeTokenAccount(account.data);
      if (mint !== null) supplies.set(address, mint.supply);
      if (holding === null || holding.rentExemptReserve !== null) continue;
      const key = encodeAddress(holding.mint);
      held.set(key, (held.get(key) ?? 0n) + holding.amount);
    }
    expect(supplies.size).toBeGreaterThan(150);
    for (const [mint, supply] of supplies) expect([mint, held.get(mint) ?? 0n]).toEqual([mint, supply]);
  });

  test("keeps rent-exempt reserves below what accounts hold", () => {
    for (const account of finalState().values()) {
      if (account.data.length > 0)
        expect(account.lamports).toBeGreaterThanOrEqual(BigInt(128 + account.data.length) * 6960n);
    }
  });

  test("streams a chain of two million accounts without making it first", () => {
    const counts = countsForAccounts(2_000_000);
    const batches = generateChain({ seed: 3, counts, derivedAddresses: "hash-once" });
    const first = batches.next();
    expect(first.done).toBe(false);
    const { wallets, tokenAccounts, nfts } = counts;
    expect(wallets + tokenAccounts + 4 * nfts).toBeGreaterThan(1_700_000);
    batches.return(undefined);
  });
});

const parsedOf = (account: Account): { readonly type: string; readonly info: never } | null => {
  const shaped = parseAccount(account, { mint: null, unixTimestamp: 0n });
  return shaped === null ? null : JSON.parse(writeJson(shaped)).parsed;
};

describe("accounts of native programs", () => {
  test("are parsed as they were written", () => {
    const state = finalState();
    const types = new Map<string, number>();
    for (const account of state.values()) {
      if (!sameBytes(account.programOwner, programAddresses.stake)) continue;
      const parsed = parsedOf(account);
      const { stake } = (parsed?.info ?? {}) as {
        stake: { readonly delegation: { readonly voter: string; readonly stake: string } } | null;
      };
      const kind = parsed?.type ?? "unparseable";
      types.set(kind, (types.get(kind) ?? 0) + 1);
      expect(stake === null).toBe(kind === "initialized");
      if (stake === null) continue;
      const voter = state.get(stake.delegation.voter);
      expect(voter && parsedOf(voter)?.type).toBe("vote");
      expect(BigInt(stake.delegation.stake)).toBeLessThanOrEqual(account.lamports);
    }
    expect([...types.keys()].toSorted()).toEqual(["delegated", "initialized"]);
  });
});
