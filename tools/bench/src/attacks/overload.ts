import { fork } from "node:child_process";
import { once } from "node:events";
import { type Figure, median, percentile } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { callText } from "../harness/calls.ts";
import { textOf } from "../turns/hostile-store.ts";
import { type Attack } from "./attack.ts";
import { type AttackedServer, postCall, requestText, startAttacked } from "./attack-process.ts";
import type { OpenLoad, OpenLoadResult } from "./open-load.ts";

const ASSETS = 2000;
/** Eight cheap calls to two searches of a hundred items. */
const bodies: readonly string[] = Array.from({ length: 200 }, (_, index) =>
  index % 10 < 8
    ? callText("getAsset", { id: textOf("asset", (index * 7919) % ASSETS) })
    : callText("searchAssets", { ownerAddress: textOf("owner"), limit: 100, page: 1 + (index % 50) }),
);
const isCheapBody = (index: number): boolean => index % 10 < 8;

const ROUNDS = 3;
const CALIBRATION_SECONDS = 5;
/** Between two loads that are tried, and how many. */
const STEP = 1.2;
const STEPS_MAX = 12;
/** Largest share of refused calls in a load that counts as sustained. */
const REFUSED_SHARE = 0.01;
const ROUND_SECONDS = 10;
/** As many as keep the server busy; calls refused on the way are not counted. */
const CALIBRATION_CONNECTIONS = 64;

/** More calls than can be answered, at a rate that does not wait for answers. */
export const overload: Attack = {
  name: "overload",
  async run(sizes, say): Promise<readonly Figure[]> {
    const { share, seed } = sizes;
    const server = await startAttacked(sizes);
    try {
      const rate = await findSustainable(server, share, seed, say);
      say(`sustainable: ${Math.round(rate)} calls a second`);
      const rounds: { readonly half: OpenLoadResult; readonly triple: OpenLoadResult }[] = [];
      for (let round = 0; round < Math.ceil(ROUNDS * share); round++) {
        const half = await send(server, rate / 2, share, seed + round);
        const triple = await send(server, rate * 3, share, seed + round);
        say(`half: ${resultText(half)}; three times: ${resultText(triple)}`);
        rounds.push({ half, triple });
      }
      return figuresOf(rounds);
    } finally {
      server.stop();
    }
  },
};

/** Below it nearly every call is answered, of every kind; what is answered of far too many are mostly cheap ones. */
const findSustainable = async (
  server: AttackedServer,
  share: number,
  seed: number,
  say: (line: string) => void,
): Promise<number> => {
  let rate = await answeredClosed(server, share);
  let isKept = false;
  for (let step = 0; step < STEPS_MAX; step++) {
    const result = await send(server, rate, share / 2, seed + step);
    say(`${Math.round(rate)} a second: ${resultText(result)}`);
    if (result.refused + result.failed <= REFUSED_SHARE * result.sent) isKept = true;
    else if (isKept) return rate / STEP;
    else rate /= STEP;
    if (isKept) rate *= STEP;
  }
  return rate / STEP;
};

/** Calls a second of callers that wait for their answers; refusals count as none. */
const answeredClosed = async (server: AttackedServer, share: number): Promise<number> => {
  const endMs = performance.now() + CALIBRATION_SECONDS * share * 1000;
  const startMs = performance.now();
  let [sent, answered] = [0, 0];
  const callOn = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const { status } = await postCall(server, bodies[sent++ % bodies.length]!);
      if (status === 200) answered++;
    }
  };
  await Promise.all(Array.from({ length: CALIBRATION_CONNECTIONS }, callOn));
  return (answered * 1000) / (performance.now() - startMs);
};

const send = async (
  { port }: AttackedServer,
  perSecond: number,
  share: number,
  seed: number,
): Promise<OpenLoadResult> => {
  const process = fork(new URL("open-load.ts", import.meta.url), [], {
    execArgv: ["--conditions=@lamplight/source"],
  });
  const seconds = ROUND_SECONDS * share;
  const requests = bodies.map((body) => requestText(body));
  process.send({ port, perSecond, seconds, requests, seed } satisfies OpenLoad);
  const [result] = (await once(process, "message")) as [OpenLoadResult];
  return result;
};

const p99 = ({ acceptedMs }: OpenLoadResult): number => percentile(acceptedMs.flat(), 0.99);
const cheapP99 = ({ acceptedMs }: OpenLoadResult): number =>
  percentile(acceptedMs.filter((_, index) => isCheapBody(index)).flat(), 0.99);

const resultText = (result: OpenLoadResult): string => {
  const accepted = result.acceptedMs.flat().length;
  const rest = `${result.refused} refused, ${result.failed} not sent`;
  return `${Math.round(result.perSecond)}/s, ${accepted} accepted with a p99 of ${p99(result).toFixed(1)} ms (cheap ${cheapP99(result).toFixed(1)} ms), ${rest}`;
};

const figuresOf = (
  rounds: readonly { readonly half: OpenLoadResult; readonly triple: OpenLoadResult }[],
): readonly Figure[] => [
  {
    name: "overload: p99 of accepted calls at three times the load over half of it",
    value: median(rounds.map(({ half, triple }) => p99(triple) / p99(half))),
    unit: "×",
    budget: budgets.overloadP99,
  },
  {
    name: "overload: the same of cheap calls",
    value: median(rounds.map(({ half, triple }) => cheapP99(triple) / cheapP99(half))),
    unit: "×",
    budget: budgets.overloadP99,
  },
  { name: "overload: p99 at half the load", value: median(rounds.map(({ half }) => p99(half))), unit: "ms" },
  {
    name: "overload: p99 at three times the load",
    value: median(rounds.map(({ triple }) => p99(triple))),
    unit: "ms",
  },
  {
    name: "overload: calls refused early",
    value: rounds.reduce((sum, { triple }) => sum + triple.refused, 0),
    unit: "",
    budget: { atLeast: 1 },
  },
];
