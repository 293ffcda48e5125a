// One process follows an RPC node into PostgreSQL, another serves what it has: also what is not final yet.

import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { ChainSimulation } from "@lamplight/devchain";
import { RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCommand } from "../../test/run-command.ts";
import { postCall, servingUrl } from "../../test/serving.ts";

const SEED = 8;
const token = encodeAddress(programAddresses.token);

describePostgres("lamplight follow rpc into PostgreSQL", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
  });

  test.each(storePlaces)(
    "fills a new store over $kind, and other processes answer confirmed before it is final",
    async ({ urlOf }) => {
      const ledger = new RpcLedger(new ChainSimulation({ seed: SEED, isChaotic: true }));
      for (let block = 0; block < 20; block += 1) ledger.advance();
      ledger.settle();
      const node = new SimulatedRpc({ ledger, seed: SEED });
      const address = await node.start();
      const store = urlOf(postgres.url, "rpc");
      const rpc = ["follow", "rpc", "--url", `http://${address}`, "--ws", `ws://${address}`];
      const follower = startCommand([...rpc, "--store", store, "--program", token]);
      const said: string[] = [];
      createInterface(follower.stderr!).on("line", (line) => said.push(line));
      follower.stdout!.resume();
      while (!said.some((line) => line.startsWith("filled as of slot"))) {
        node.emit(ledger.pass(1));
        ledger.finalizeAll();
        await sleep(20);
      }
      const server = startCommand(["serve", "--store", store, "--key", "k", "--port", "0"]);
      server.stderr!.resume();
      const base = await servingUrl(server);
      const account = [...ledger.stateAt(ledger.tip.slot).values()].find(
        ({ programOwner }) => encodeAddress(programOwner) === token,
      )!;
      const lamportsAt = async (commitment: string): Promise<number> => {
        const params = [encodeAddress(account.address), { commitment, encoding: "base64" }];
        const response = await postCall(`${base}/v3/k`, "getAccountInfo", params);
        const { result } = (await response.json()) as { result: { value: { lamports: number } } };
        return result.value.lamports;
      };
      const before = Number(account.lamports);
      node.emit(ledger.write([{ ...account, lamports: 7n }]));
      while ((await lamportsAt("confirmed")) !== 7) {
        node.emit(ledger.pass(1));
        await sleep(20);
      }
      expect(await lamportsAt("processed")).toBe(7);
      expect(await lamportsAt("finalized")).toBe(before);
      while ((await lamportsAt("finalized")) !== 7) {
        ledger.finalizeAll();
        node.emit(ledger.pass(1));
        await sleep(20);
      }
      for (const child of [follower, server]) {
        child.kill("SIGTERM");
        expect(await once(child, "exit")).toEqual([0, null]);
      }
      await node.stop();
    },
  );
});
