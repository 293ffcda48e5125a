import type { Figure } from "../bench.ts";
import { callText } from "../harness/calls.ts";
import { textOf } from "../turns/hostile-store.ts";
import { type Attack, MIB } from "./attack.ts";
import {
  type AttackedServer,
  bystander,
  openUnread,
  postCall,
  requestText,
  sleep,
  startAttacked,
} from "./attack-process.ts";

const contractFile = "GET /openrpc.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
const cheap = callText("getAsset", { id: textOf("asset") });

/** Time in which everything that was sent has been parsed, on any machine. */
const SETTLE_MS = 3000;

/** Requests in one segment on connections that read nothing. */
const flood = (name: string, connections: number, requests: number, text: string): Attack => ({
  name,
  async run(sizes): Promise<readonly Figure[]> {
    const server = await startAttacked(sizes);
    try {
      await postCall(server, cheap);
      const before = await server.spent();
      const count = Math.max(1, Math.round(connections * sizes.share));
      const sockets = await openUnread(server, count, text.repeat(Math.round(requests * sizes.share)));
      const slowestMs = await askInBetween(server);
      const spent = await server.spent();
      for (const socket of sockets) socket.destroy();
      const grown = spent.peakBytes - before.peakBytes;
      return [
        { name: `${name}: memory`, value: grown / MIB, unit: "MiB", budget: { atMost: 512 } },
        { name: `${name}: event loop held`, value: spent.holdMs, unit: "ms", budget: { atMost: 250 } },
        { name: `${name}: slowest probe meanwhile`, value: slowestMs, unit: "ms" },
      ];
    } finally {
      server.stop();
    }
  },
});

const askInBetween = async (server: AttackedServer): Promise<number> => {
  const endMs = performance.now() + SETTLE_MS;
  let slowestMs = 0;
  while (performance.now() < endMs) {
    const startMs = performance.now();
    const { status } = await fetch(`${server.url}/livez`);
    slowestMs = Math.max(slowestMs, performance.now() - startMs);
    if (status !== 200) throw new Error(`a probe got ${status}`);
    await sleep(20);
  }
  return slowestMs;
};

/** C1: no key is needed. */
export const unreadDocuments = flood("C1 contract × 1,700 on 20 connections", 20, 1700, contractFile);

/** C1: with a key. */
export const unreadSearches = flood(
  "C1 search × 408 on 10 connections",
  10,
  408,
  requestText(callText("searchAssets", { ownerAddress: textOf("owner"), limit: 1000 })),
);

/** Longest wait in milliseconds until the unread answers reach the share of their key. */
const WAIT_MS_MAX = 60_000;

/** H2: answers of the largest size that no one reads, until their time is over. */
export const unreadAnswers: Attack = {
  name: "H2 large answers to 30 connections",
  async run(sizes): Promise<readonly Figure[]> {
    const server = await startAttacked(sizes, { takeTimeoutMs: WAIT_MS_MAX });
    const { name } = unreadAnswers;
    try {
      await postCall(server, cheap);
      const account = callText("getAccountInfo", {
        address: textOf("account"),
        config: { encoding: "base64" },
      });
      const batch = `[${Array.from({ length: 4 }, () => account).join(",")}]`;
      const before = await server.spent();
      const sockets = await openUnread(server, Math.max(8, Math.round(30 * sizes.share)), requestText(batch));
      const refused = { own: 0, others: 0 };
      const endMs = performance.now() + WAIT_MS_MAX;
      while (refused.own === 0 && performance.now() < endMs) {
        if ((await postCall(server, cheap)).status === 503) refused.own++;
        if ((await postCall(server, cheap, bystander)).status === 503) refused.others++;
        await sleep(20);
      }
      const spent = await server.spent();
      for (const socket of sockets) socket.destroy();
      while ((await postCall(server, cheap)).status !== 200) await sleep(50);
      const grown = spent.peakBytes - before.peakBytes;
      return [
        { name: `${name}: memory`, value: grown / MIB, unit: "MiB", budget: { atMost: 1024 } },
        { name: `${name}: own calls refused`, value: refused.own, unit: "", budget: { atLeast: 1 } },
        {
          name: `${name}: calls of another key refused`,
          value: refused.others,
          unit: "",
          budget: { atMost: 0 },
        },
        { name: `${name}: event loop held`, value: spent.holdMs, unit: "ms", budget: { atMost: 250 } },
      ];
    } finally {
      server.stop();
    }
  },
};
