import type { Account } from "@lamplight/core";
import { programAddresses, sysvarAddresses, sysvarAddressTexts } from "@lamplight/codecs";
import type { AgaveLine } from "./agave-version.ts";
import { type AnswerPair, type Decision, decisionFor } from "./decided.ts";
import type { Endpoint } from "./endpoints.ts";
import { maskMoving } from "./mask.ts";
import type { ReferenceRequest } from "./requests/request.ts";

export interface Comparison {
  readonly asked: number;
  readonly equal: number;
  /** Differences that are meant, by the name of the decision. */
  readonly decided: ReadonlyMap<Decision, readonly AnswerPair[]>;
  readonly wrong: readonly AnswerPair[];
}

export interface ComparisonOptions {
  readonly ours: Endpoint;
  readonly theirs: Endpoint;
  /** Release line of the other side: it decides which differences are expected. */
  readonly line: AgaveLine;
  /** Gives the clock of the other side to ours. */
  readonly setClock: (clock: Account) => Promise<void>;
  readonly onProgress?: (asked: number, total: number) => void;
}

/** Both may be asked several times until they were asked at one slot. */
const ATTEMPTS = 20;

/** Sends every request to both, one after the other, and sorts what differs. */
export const compareAnswers = async (
  requests: readonly ReferenceRequest[],
  options: ComparisonOptions,
): Promise<Comparison> => {
  const decided = new Map<Decision, AnswerPair[]>();
  const wrong: AnswerPair[] = [];
  let equal = 0;
  for (const [index, request] of requests.entries()) {
    const pair = await askBoth(request, options);
    const decision = pair.ours === pair.theirs ? null : decisionFor(pair, options.line);
    if (pair.ours === pair.theirs) equal += 1;
    else if (decision === null) wrong.push(pair);
    else decided.set(decision, [...(decided.get(decision) ?? []), pair]);
    options.onProgress?.(index + 1, requests.length);
  }
  return { asked: requests.length, equal, decided, wrong };
};

const askBoth = async (request: ReferenceRequest, options: ComparisonOptions): Promise<AnswerPair> => {
  const theirs =
    request.readsClock === true
      ? await askWithClock(request, options)
      : await options.theirs.ask(request.body);
  const ours = await options.ours.ask(request.body);
  return { request, ours: maskMoving(ours), theirs: maskMoving(theirs) };
};

/** In one batch with the clock, again until both are of one slot; then ours has that clock, too. */
const askWithClock = async (request: ReferenceRequest, options: ComparisonOptions): Promise<string> => {
  const commitment = /"commitment":"(\w+)"/u.exec(request.body)?.[1] ?? "finalized";
  const config = { encoding: "base64", commitment };
  const clockCall = JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "getAccountInfo",
    params: [sysvarAddressTexts.clock, config],
  });
  let text = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    text = await options.theirs.ask(`[${clockCall},${request.body},${clockCall}]`);
    const parts = splitBatch(text);
    if (parts === null || slotOf(parts.first) !== slotOf(parts.last)) continue;
    await options.setClock(clockOf(parts.first));
    return parts.middle;
  }
  throw new Error(`the clock never stood still for ${request.body}: ${text.slice(0, 500)}`);
};

/** The three answers of a batch as they were written; the outer two are those of the clock. */
const splitBatch = (text: string): { first: string; middle: string; last: string } | null => {
  const first = /^\[(\{"jsonrpc":"2\.0","result":\{"context":.*?\},"id":0\}),/u.exec(text)?.[1];
  if (first === undefined) return null;
  const last = text.lastIndexOf(',{"jsonrpc":"2.0","result":{"context":');
  return { first, middle: text.slice(first.length + 2, last), last: text.slice(last + 1, -1) };
};

const slotOf = (answer: string): string | undefined => /"slot":(\d+)/u.exec(answer)?.[1];

const clockOf = (answer: string): Account => {
  const [, data = ""] = /"data":\["([^"]*)"/u.exec(answer) ?? [];
  return {
    address: sysvarAddresses.clock,
    programOwner: programAddresses.sysvar,
    lamports: 1_169_280n,
    executable: false,
    rentEpoch: 2n ** 64n - 1n,
    data: Buffer.from(data, "base64"),
    slot: Number(slotOf(answer)),
    writeVersion: 0,
  };
};
