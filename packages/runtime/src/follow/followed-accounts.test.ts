import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddresses, sysvarAddresses } from "@lamplight/codecs";
import type { Account, Coverage } from "@lamplight/core";
import { ChainSimulation } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { describe, expect, onTestFailed, onTestFinished, test } from "vitest";
import { followChain } from "./follow-chain.ts";
import { coversAccount, filtersOf, SINGLE_ACCOUNTS_MAX } from "./followed-accounts.ts";

const firstSeed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_FORK_SEEDS"] ?? 4);

const token = encodeAddress(programAddresses.token);
const system = encodeAddress(programAddresses.system);
const clock = encodeAddress(sysvarAddresses.clock);

const covering = (parts: Partial<Extract<Coverage, { kind: "filtered" }>>): Coverage => ({
  kind: "filtered",
  programs: [],
  owners: [],
  mints: [],
  collections: [],
  ...parts,
});

describe("filtersOf", () => {
  test("asks for programs, for what closes, and for single accounts with the clock", () => {
    expect(filtersOf({ kind: "whole" })).toEqual({ all: {} });
    expect(filtersOf(covering({ programs: [token], accounts: ["a", "t"], trees: ["t"] }))).toEqual({
      programs: { owner: [token] },
      closed: { owner: [system], lamportsEqual: 0n },
      singles: { account: [clock, "a", "t"] },
    });
    expect(filtersOf(covering({ accounts: ["a"] }))).toEqual({ singles: { account: [clock, "a"] } });
  });

  test.each([
    ["owners", covering({ owners: ["x"] })],
    ["mints", covering({ programs: [token], mints: ["x"] })],
    ["collections", covering({ collections: ["x"] })],
    [
      "too many accounts",
      covering({ accounts: Array.from({ length: SINGLE_ACCOUNTS_MAX }, (_, index) => `${index}`) }),
    ],
  ])("refuses a store of %s", (_, coverage) => {
    expect(() => filtersOf(coverage)).toThrow(/single accounts|so many/u);
  });
});

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** A server reports these writes to a client with these filters: covered accounts, and all that close. */
const isReported = (coverage: Coverage): ((account: Account) => boolean) => {
  const covers = coversAccount(coverage);
  return (account) => covers(account) || account.lamports === 0n;
};

const linesOf = (accounts: readonly Account[]): readonly string[] =>
  accounts
    .map(({ address, programOwner, lamports, data, slot }) =>
      [
        encodeAddress(address),
        encodeAddress(programOwner),
        lamports,
        Buffer.from(data).toString("base64"),
        slot,
      ].join(" "),
    )
    .toSorted();

test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
  "seed %i: a store of one program and one account stays what it covers, through its stream",
  async (seed) => {
    onTestFailed(() =>
      console.error(
        `repeat with: LAMPLIGHT_FORK_SEED=${seed} LAMPLIGHT_FORK_SEEDS=1 npx vitest run packages/runtime/src/follow/followed-accounts.test.ts`,
      ),
    );
    const folder = mkdtempSync(join(tmpdir(), "lamplight-covered-"));
    const url = `sqlite:${join(folder, "index.db")}`;
    const simulation = new ChainSimulation({ seed, isChaotic: true });
    const upstream = new SimulatedYellowstone({ replay: (from) => simulation.replay(from) });
    const { accounts, slot, blockhash } = simulation.genesis;
    const single = accounts.find(({ programOwner }) => encodeAddress(programOwner) !== token)!.address;
    const coverage = covering({ programs: [token], accounts: [encodeAddress(single)] });
    const covers = coversAccount(coverage);
    const open = () => openSqliteStore({ file: join(folder, "index.db"), mode: "write" });
    const store = open();
    await store.writeCoverage(coverage);
    await createIndexer(store).applyAccounts(accounts.filter(covers), { slot, blockhash });
    const live = await followChain(
      store,
      {
        kind: "yellowstone",
        url: await upstream.start(),
        token: null,
        commitment: "processed",
        repairRpc: null,
      },
      {
        store: url,
        withSearch: false,
        callsForever: false,
        say: () => {},
      },
    );
    onTestFinished(async () => {
      await live.stop();
      upstream.stop();
      rmSync(folder, { recursive: true });
    });
    await until(() => upstream.subscribers === 1);
    for (let step = 0; step < 60; step += 1) upstream.emit(simulation.next());
    upstream.emit(simulation.settle());
    await until(() => live.finalizedSlot === simulation.finalized);
    const wanted = new Map(accounts.filter(covers).map((one) => [encodeAddress(one.address), one]));
    for (const block of simulation.pathTo(simulation.finalized)!) {
      const reported = block.writes.filter(isReported(coverage));
      const last = new Map(reported.map((one) => [encodeAddress(one.address), one]));
      for (const [address, account] of last) {
        if (account.lamports > 0n) wanted.set(address, account);
        else wanted.delete(address);
      }
    }
    const kept = (await store.readAccountPage(null, 1000)).map(({ current }) => current);
    const living = kept.filter(({ lamports }) => lamports > 0n);
    expect(linesOf(living)).toEqual(linesOf([...wanted.values()]));
    expect(living.every(covers)).toBe(true);
    expect(wanted.has(clock)).toBe(true);
    expect(wanted.size).toBeGreaterThan(10);
    // It keeps no trace of accounts that it never had.
    expect(kept.every((one) => covers(one) || one.lamports === 0n)).toBe(true);
  },
);
