// Tests of filling a store from an ordinary node, and of the accounts that it then holds.

import { decodeEditionAccount, metadataAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { readStoredAccounts } from "./confirmed-base.ts";
import {
  useRpcNode,
  NEVER,
  text,
  token,
  tree,
  store,
  ledger,
  node,
  overlay,
  stopping,
  running,
  problems,
  filled,
  follow,
  until,
  find,
  some,
  closed,
  stopChain,
  whenFilled,
} from "../../test/rpc-following.ts";

useRpcNode();

describe("filling a store from an RPC node", () => {
  test("how far a filling is, is reported from its first bytes to its last transaction", async () => {
    const metadata = text(programAddresses.tokenMetadata);
    await follow({ programs: [token, metadata], trees: [tree] });
    const shares = filled.map(({ done, total }) => done / total);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    // Two programs, single accounts, a tree; answers are reported as they come.
    expect([filled[0]!.total, shares[0]! > 0, shares.at(-1)]).toEqual([4, true, 1]);
    const stored = await store.readAccountPage(null, 1000);
    const transactions = ledger.blocks(0, ledger.final.slot).flatMap((block) => block.transactions);
    expect(filled.at(-1)!.count).toBe(stored.length + transactions.length);
  });

  test("what is too large at once is asked for in smaller parts", async () => {
    const addresses = [...ledger.stateAt(ledger.tip.slot).keys()].slice(0, 9);
    node.odd.set("getMultipleAccounts", [413, 413, 413]);
    await follow({ accounts: addresses });
    const sizes = node.calls.get("getMultipleAccounts")!;
    // Ten with the clock: 10, 5, 3, then 2, 2, 2, 2, 2; and once more all of them at confirmed.
    expect(sizes).toBe(9);
    expect(problems).toEqual([]);
    expect(await find(addresses[0]!, "confirmed")).not.toBe(null);
  });

  test("what is followed next to is filled first, and what was followed before stays in sync", async () => {
    const [classic, other] = [programAddresses.token, programAddresses.tokenMetadata].map((program) =>
      some(({ programOwner }) => text(programOwner) === text(program)),
    ) as [Account, Account];
    await follow({ programs: [token] });
    expect(await find(text(other.address), "confirmed")).toBe(null);
    stopChain();
    stopping.abort();
    await running;
    const before = (await store.readWatermark())!.slot;
    ledger.write([closed(classic)]);
    ledger.finalizeAll();
    const targets = { programs: [text(other.programOwner)], accounts: [], mints: [], trees: [] };
    // The accounts that the store already covered stay as of its slot while the others are filled.
    const seen: (readonly [slot: number, isThere: boolean])[] = [];
    whenFilled(async () => {
      seen.push([
        (await store.readWatermark())!.slot,
        (await find(text(classic.address), "finalized")) !== null,
      ]);
      expect(await store.readAccountStates([other.address])).not.toEqual([null]);
    });
    await follow({ programs: [token, text(other.programOwner)] }, NEVER, targets);
    expect(seen).toEqual([[before, true]]);
    await until(async () => (await find(text(classic.address), "finalized")) === null);
    expect(await find(text(other.address), "finalized")).not.toBe(null);
    expect(overlay!.state.finalizedSlot).toBeGreaterThan(before);
  });

  test("of a mint come its metadata and every token account, and nothing else", async () => {
    const mint = some(
      ({ address, programOwner }) =>
        text(programOwner) === token && ledger.stateAt(ledger.tip.slot).has(text(metadataAddress(address))),
    );
    await follow({ mints: [text(mint.address)] });
    const stored: string[] = [];
    for await (const { address, lamports } of readStoredAccounts(store))
      if (lamports > 0n) stored.push(text(address));
    const wanted = [...ledger.stateAt(ledger.tip.slot).values()]
      .filter(
        ({ address, programOwner, data }) =>
          text(address) === text(mint.address) ||
          text(address) === text(metadataAddress(mint.address)) ||
          text(address) === "SysvarC1ock11111111111111111111111111111111" ||
          (text(programOwner) === token &&
            data.length === 165 &&
            text(data.subarray(0, 32)) === text(mint.address)),
      )
      .filter(({ data }) => decodeEditionAccount(data)?.kind !== "masterEdition")
      .map(({ address }) => text(address));
    expect(stored.toSorted()).toEqual(wanted.toSorted());
    expect(wanted.length).toBeGreaterThan(3);
  });
});
