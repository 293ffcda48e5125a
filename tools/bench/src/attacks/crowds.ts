// Callers who hold what all share, and another key whose calls must be answered all the same.
import { fork } from "node:child_process";
import type { Socket } from "node:net";
import { type Figure, percentile } from "../bench.ts";
import { callText } from "../harness/calls.ts";
import { textOf } from "../turns/hostile-store.ts";
import { type Attack, type AttackSizes, MIB } from "./attack.ts";
import {
  type AttackedServer,
  attacker,
  bystander,
  openUnread,
  postCall,
  requestText,
  sleep,
} from "./attack-process.ts";
import type { BusyCallers } from "./busy-callers.ts";
import { withServer } from "./calls.ts";

const BYSTANDER_CALLS = 200;
const PAUSE_MS = 10;

const delegated = callText("getTokenAccountsByDelegate", {
  address: textOf("delegate"),
  accountDetails: { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
});
const asset = (index: number): string => callText("getAsset", { id: textOf("asset", index) });
const batch = `[${Array.from({ length: 100 }, (_, index) => asset(index)).join(",")}]`;

/** Calls of the other key, one after another. */
const askBeside = async (
  name: string,
  server: AttackedServer,
  sizes: AttackSizes,
): Promise<readonly Figure[]> => {
  const times: number[] = [];
  let refused = 0;
  for (let count = 0; count < Math.round(BYSTANDER_CALLS * sizes.share); count++) {
    const { status, tookMs } = await postCall(server, asset(count), bystander);
    if (status !== 200) refused++;
    times.push(tookMs);
    await sleep(PAUSE_MS);
  }
  return [
    { name: `${name}: median of another key`, value: percentile(times, 0.5), unit: "ms" },
    { name: `${name}: p99 of another key`, value: percentile(times, 0.99), unit: "ms" },
    { name: `${name}: calls of another key refused`, value: refused, unit: "", budget: { atMost: 0 } },
  ];
};

const holdFigure = async (name: string, server: AttackedServer): Promise<Figure> => ({
  name: `${name}: event loop held`,
  value: (await server.spent()).holdMs,
  unit: "ms",
  budget: { atMost: 250 },
});

/** Time in which all callers have asked. */
const CROWD_MS = 1000;

/** Callers of one key in a process of their own, so that what they receive keeps no one waiting here. */
const busyCallers = (name: string, callers: number, bodies: readonly string[]): Attack => ({
  name,
  run: (sizes) =>
    withServer(sizes, async (server) => {
      const crowd = fork(new URL("busy-callers.ts", import.meta.url), [], {
        execArgv: ["--conditions=@lamplight/source"],
      });
      const url = `${server.url}/v3/${attacker}`;
      crowd.send({ url, callers, bodies } satisfies BusyCallers);
      await sleep(CROWD_MS);
      const figures = await askBeside(name, server, sizes);
      if (crowd.exitCode !== null) throw new Error("the callers have ended");
      crowd.kill();
      return [...figures, await holdFigure(name, server)];
    }),
});

/** H4: callers that hold the read views of the store. */
export const heldViews = busyCallers("H4 24 connections of one key", 24, [delegated]);

/** Many callers of one key with lists, batches and single calls, next to one caller of another. */
export const crowd = busyCallers("200 connections of one key", 200, [delegated, batch, asset(1)]);

const destroyAll = (sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.destroy();
};

/** Small bodies that never end: each is below every bound of one body. */
export const slowBodies: Attack = {
  name: "small bodies that never end",
  run: (sizes) =>
    withServer(sizes, async (server) => {
      const { name } = slowBodies;
      const before = await server.spent();
      const unfinished = requestText(" ".repeat(4000)).slice(0, -100);
      const sockets = await openUnread(server, Math.round(2000 * sizes.share), unfinished);
      const figures = await askBeside(name, server, sizes);
      destroyAll(sockets);
      const grown = (await server.spent()).peakBytes - before.peakBytes;
      return [
        ...figures,
        {
          name: `${name}: memory of a worker`,
          value: grown / MIB / (sizes.workers ?? 1),
          unit: "MiB",
          budget: { atMost: 256 },
        },
      ];
    }),
};

const GUESS_MS = 3000;
const GUESSERS = 50;
/** `wrongKeys`, the further checks, and one a tick. Workers that check at the same moment may exceed it by one each. */
const checksMax = (ms: number): number => 20 + Math.ceil(ms / 200) + 2;

/** Callers of one address that try keys as fast as they can. */
export const guessedKeys: Attack = {
  name: "guessed keys",
  run: (sizes) =>
    withServer(sizes, async (server) => {
      const { name } = guessedKeys;
      // The bystander's key is in use from the same address.
      await postCall(server, asset(0), bystander);
      const startMs = performance.now();
      let [sent, checked] = [0, 0];
      const guessOn = async (): Promise<void> => {
        while (performance.now() - startMs < GUESS_MS) {
          const { status } = await postCall(server, asset(0), `guessed-guessed-${sent++}`);
          if (status === 401) checked++;
        }
      };
      await Promise.all(Array.from({ length: GUESSERS }, guessOn));
      const tookMs = performance.now() - startMs;
      return [
        { name: `${name}: tried`, value: sent, unit: "", budget: { atLeast: 100 } },
        { name: `${name}: checked`, value: checked, unit: "", budget: { atMost: checksMax(tookMs) } },
      ];
    }),
};

const TAKE_MS = 2000;
/** Far more than a deadline is late. */
const CUT_MS_MAX = 30_000;

/** Callers who take nothing of a large answer: each loses its connection, and what it held is free again. */
export const untakenAnswers: Attack = {
  name: "20 callers who take nothing",
  run: (sizes) =>
    withServer(
      sizes,
      async (server) => {
        const { name } = untakenAnswers;
        const account = callText("getAccountInfo", {
          address: textOf("account"),
          config: { encoding: "base64" },
        });
        const sockets = await openUnread(server, 20, requestText(`[${account},${account}]`));
        const figures = await askBeside(name, server, sizes);
        const endMs = performance.now() + CUT_MS_MAX;
        const isAnswered = async (): Promise<boolean> =>
          (await postCall(server, account, attacker)).status === 200;
        let refused = 0;
        while (!(await isAnswered()) && performance.now() < endMs) {
          refused++;
          await sleep(100);
        }
        const isOver = await isAnswered();
        destroyAll(sockets);
        return [
          ...figures,
          { name: `${name}: own calls refused meanwhile`, value: refused, unit: "" },
          {
            name: `${name}: still held in the end`,
            value: isOver ? 0 : 1,
            unit: "",
            budget: { atMost: 0 },
          },
          await holdFigure(name, server),
        ];
      },
      { takeTimeoutMs: TAKE_MS },
    ),
};
