// Tests of a node that refuses calls or answers them oddly.

import type { Account } from "@lamplight/core";
import { RpcSource } from "@lamplight/sources/rpc";
import { describe, expect, test } from "vitest";
import {
  useRpcNode,
  text,
  token,
  ledger,
  node,
  url,
  source,
  stopping,
  running,
  problems,
  follow,
  until,
  find,
  some,
  closed,
  stopChain,
} from "../../test/rpc-following.ts";

useRpcNode();

describe("a node that refuses", () => {
  test("a program that the node does not scan is refused", async () => {
    node.missingMethods.add("getProgramAccounts");
    const refused = follow({ programs: [token] });
    await expect(refused).rejects.toMatchObject({ code: "SOURCE__REFUSED" });
    await expect(refused).rejects.toThrow(
      /does not list program .* \(Method not found\); load its accounts/u,
    );
  });

  test.each(["-32601", "410", "-32010"])(
    "where a program is not scanned (%s), its known accounts are read one by one: closed ones are found",
    async (kind) => {
      const [account, other] = [...ledger.stateAt(ledger.tip.slot).values()].filter(
        ({ programOwner }) => text(programOwner) === token,
      ) as [Account, Account];
      await follow({ programs: [token] }, 20);
      stopChain();
      stopping.abort();
      await running;
      node.refusals.set("getProgramAccounts", Number(kind));
      ledger.write([closed(account)]);
      ledger.finalizeAll();
      await follow({ programs: [token] }, 20);
      await until(async () => (await find(text(account.address), "finalized")) === null);
      node.emit(ledger.write([{ ...account, lamports: 71n }, closed(other)]));
      await until(async () => (await find(text(account.address), "confirmed"))?.lamports === 71n);
      await until(async () => (await find(text(other.address), "finalized")) === null);
      expect(problems.filter((problem) => problem.includes("does not list"))).toHaveLength(1);
      expect(problems[0]).toContain("read by address");
      expect(source.state.refusedScans).toBe(1);
      node.refusals.clear();
      await until(() => source.state.refusedScans === 0);
    },
  );

  test.each([403, 404, 413])("once it worked, HTTP %i ends nothing", async (status) => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    await follow({ programs: [token] }, 20);
    node.odd.set("getProgramAccounts", [status, status]).set("getBlocks", [status]);
    await until(() => problems.some((problem) => problem.includes(`HTTP ${status}`)));
    node.emit(ledger.write([{ ...account, lamports: 66n }]));
    await until(async () => (await find(text(account.address), "finalized"))?.lamports === 66n);
    expect(source.state.checksBlocks).toBe(true);
  });

  test.each(["null", "[]", '{"context":null,"value":[null]}'])(
    "an answer that is %s is asked for again",
    async (odd) => {
      const account = some(({ programOwner }) => text(programOwner) === token);
      const methods = ["getGenesisHash", "getProgramAccounts", "getMultipleAccounts", "getBlocks"];
      for (const method of methods) node.odd.set(method, [odd]);
      await follow({ programs: [token] }, 20);
      for (const method of methods) node.odd.set(method, [odd]);
      node.emit(ledger.write([{ ...account, lamports: 65n }]));
      await until(async () => (await find(text(account.address), "finalized"))?.lamports === 65n);
    },
  );

  test("more accounts than a connection has subscriptions can be asked for without one", () => {
    const accounts = Array.from({ length: 1001 }, (_, index) =>
      text(
        new Uint8Array(32)
          .fill(1)
          .with(0, index >> 8)
          .with(1, index & 255),
      ),
    );
    const open = (socketUrl: string | null): RpcSource =>
      new RpcSource({
        url: `http://${url}`,
        socketUrl,
        targets: { programs: [], accounts, mints: [], trees: [] },
        base: {
          watermark: null,
          lacking: null,
          readAccounts: async function* () {},
          readTreeSlot: async () => 0,
        },
        signal: stopping.signal,
      });
    expect(() => open(`ws://${url}`)).toThrow("more than 1000 subscriptions");
    expect(open(null).state.mode).toBe("connecting");
  });
});
