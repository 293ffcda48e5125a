import { setTimeout as sleep } from "node:timers/promises";
import { parseRetryAfter } from "@lamplight/errors";

/** An answer as it came. */
export interface Reply {
  readonly response: Response;
  readonly text: string;
}

/** Sendings of one call, the first included. */
const SENDINGS_MAX = 6;
/** Pause before the second sending where the server names none; doubled before each further one. */
const PAUSE_MS = 500;
/** The longest pause, also where a server asks for more. */
const PAUSE_MS_MAX = 60_000;

const statusesForNow: ReadonlySet<number> = new Set([429, 503]);

/** Whether a server refuses now what it may answer later. */
export const isForNow = ({ response }: Reply): boolean => statusesForNow.has(response.status);

/** Sends a call again while the server is asked too often, or has no room: as it says in `Retry-After`. */
export const untilServed = async (send: () => Promise<Reply>, signal?: AbortSignal): Promise<Reply> => {
  for (let sendings = 1; ; sendings += 1) {
    const reply = await send();
    if (!isForNow(reply) || sendings === SENDINGS_MAX) return reply;
    const asked = parseRetryAfter(reply.response.headers.get("retry-after") ?? undefined, Date.now());
    const pauseMs = Math.min(asked ?? PAUSE_MS * 2 ** (sendings - 1), PAUSE_MS_MAX);
    await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
  }
};
