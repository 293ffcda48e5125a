import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Endpoint } from "@lamplight/sources/endpoint";
import { compareValues, type Difference } from "./compare-values.ts";
import { isKnownRefusal, type KnownDifference, knownDifferences } from "./known-differences.ts";

export interface Call {
  readonly method: string;
  /** Positions, names, or undefined for none. */
  readonly params: unknown;
}

export type Verdict =
  /** No difference, apart from known ones. */
  | "equal"
  /** Different at the same slot, or where a server reports no slot. */
  | "different"
  /** Different, but the servers never answered at the same slot. */
  | "no common slot"
  /** One of them does not have the method, or does not hold the data. */
  | "not served";

export interface Comparison {
  readonly call: Call;
  readonly verdict: Verdict;
  /** Slot of both answers; null = they were read at different slots, or a server reports none. */
  readonly slot: bigint | null;
  readonly differences: readonly Difference[];
  /** Reasons of what was overlooked. */
  readonly known: readonly string[];
  /** The reason why the answers could not be compared; null = they were. */
  readonly note: string | null;
}

export interface CompareOptions {
  /** Milliseconds to wait for a common slot; default 20,000. */
  readonly waitMs?: number;
  /** Replaces the built-in list. */
  readonly known?: readonly KnownDifference[];
  readonly signal?: AbortSignal;
}

const WAIT_MS_DEFAULT = 20_000;
/** Between two rounds of questions: a quarter of a slot. */
const PAUSE_MS = 100;
/** Answers kept of each side while a common slot is looked for. */
const KEPT_MAX = 64;
/** Rounds where a server reports no slot: the difference may be one of time. */
const ROUNDS_WITHOUT_SLOT = 3;

/** -32061: the key may not call the method. */
const notServedCodes: ReadonlySet<number> = new Set([-32601, -32061, -32068]);

/**
 * Asks both servers until they agree, or differ at one slot. A server that lags reaches, some rounds later, a slot at
 * which the other was asked: so the answers of the last rounds are kept by slot.
 */
export const compareCall = async (
  ours: Endpoint,
  theirs: Endpoint,
  call: Call,
  options: CompareOptions = {},
): Promise<Comparison> => {
  const known = options.known ?? knownDifferences;
  const sides = [new Map<bigint, Answer>(), new Map<bigint, Answer>()] as const;
  const endMs = performance.now() + (options.waitMs ?? WAIT_MS_DEFAULT);
  for (let round = 1; ; round += 1) {
    const { method, params } = call;
    const [a, b] = await Promise.all([ours.call(method, params), theirs.call(method, params)]);
    const now = judge(call, a, b, known);
    if (now.verdict !== "different" || isAtOneSlot(a, b)) return now;
    const isLate = performance.now() >= endMs;
    if (a.slot === null || b.slot === null) {
      if (round >= ROUNDS_WITHOUT_SLOT || isLate) return now;
    } else {
      keep(sides[0], a.slot, a);
      keep(sides[1], b.slot, b);
      const common = commonAnswers(sides);
      if (common !== null) return judge(call, ...common, known);
      const note = `answers were at slots ${a.slot} and ${b.slot}`;
      if (isLate) return { ...now, verdict: "no common slot", note };
    }
    await sleep(PAUSE_MS, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
};

const isAtOneSlot = (a: Answer, b: Answer): boolean => a.slot !== null && a.slot === b.slot;

const keep = (side: Map<bigint, Answer>, slot: bigint, answer: Answer): void => {
  side.set(slot, answer);
  if (side.size > KEPT_MAX) side.delete(side.keys().next().value!);
};

const commonAnswers = ([a, b]: readonly [Map<bigint, Answer>, Map<bigint, Answer>]):
  | readonly [Answer, Answer]
  | null => {
  for (const [slot, answer] of a) {
    const other = b.get(slot);
    if (other !== undefined) return [answer, other];
  }
  return null;
};

const judge = (call: Call, a: Answer, b: Answer, known: readonly KnownDifference[]): Comparison => {
  const slot = isAtOneSlot(a, b) ? a.slot : null;
  const [ours, theirs] = [a.outcome, b.outcome];
  const unserved = notServed(a, "this server") ?? notServed(b, "the other server");
  if (unserved !== null && !isKnownRefusal(ours, theirs))
    return { call, verdict: "not served", slot, differences: [], known: [], note: unserved };
  if (isKnownRefusal(ours, theirs))
    return { call, verdict: "equal", slot, differences: [], known: [], note: null };
  const all =
    ours.ok && theirs.ok
      ? compareValues(ours.result, theirs.result)
      : [{ at: "", ours: shownOutcome(a), theirs: shownOutcome(b) }];
  const reasons = new Set<string>();
  const differences = all.filter((difference) => {
    const rule = known.find(({ holds }) => holds(difference, ours.ok ? ours.result : undefined));
    if (rule !== undefined) reasons.add(rule.reason);
    return rule === undefined;
  });
  const verdict = differences.length === 0 ? "equal" : "different";
  return { call, verdict, slot, differences, known: [...reasons], note: null };
};

const notServed = ({ outcome }: Answer, who: string): string | null => {
  if (outcome.ok) return null;
  const { code, message, data } = outcome.error;
  const isOutside =
    (data as { readonly reason?: unknown } | null | undefined)?.reason === "STORE__NOT_COVERED";
  return notServedCodes.has(code) || isOutside ? `${who}: ${message} (${code})` : null;
};

const shownOutcome = ({ outcome }: Answer): unknown =>
  outcome.ok ? outcome.result : { error: outcome.error.code, message: outcome.error.message };
