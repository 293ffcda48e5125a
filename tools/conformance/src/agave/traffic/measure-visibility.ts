import { setTimeout as sleep } from "node:timers/promises";
import type { Endpoint } from "../endpoints.ts";
import { callText } from "../requests/request.ts";

const POLL_MS = 15;
const GIVE_UP_MS = 60_000;

/**
 * Asks both for a new account, again and again, and notes when each shows it.
 *
 * @returns milliseconds from when the node shows it as confirmed, below 0 where we showed it first; null = one never did
 */
export const measureDelay = async (
  address: string,
  theirs: Endpoint,
  ours: Endpoint,
): Promise<number | null> => {
  const body = callText("getAccountInfo", [address, { encoding: "base64", commitment: "confirmed" }]);
  const seen = async (endpoint: Endpoint): Promise<number | null> => {
    for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; await sleep(POLL_MS)) {
      const text = await endpoint.ask(body).catch(() => "");
      if (text.includes('"lamports"')) return performance.now();
    }
    return null;
  };
  const [first, second] = await Promise.all([seen(theirs), seen(ours)]);
  return first === null || second === null ? null : second - first;
};

/** The value that so many in a hundred do not exceed. */
export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
};
