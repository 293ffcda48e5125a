import { setTimeout as sleep } from "node:timers/promises";
import { createClient, NetworkError } from "@lamplight/client";
import { type Commitment, commitments } from "@lamplight/core";
import { LamplightError, usageError } from "@lamplight/errors";
import { exitCodes, parseFlags, print, printError } from "@lamplight/server/command";
import { parseEndpoint } from "@lamplight/sources/addresses";
import type { Command } from "../command.ts";
import { defaultEndpointUrl, urlOf, urlSettings } from "../endpoint/open-endpoint.ts";
import { runStoppable } from "@lamplight/runtime";

const TIMEOUT_SECONDS_DEFAULT = 60;
const TIMEOUT_SECONDS_MAX = 86_400;

const usage = `--slot SLOT [--url URL] [--commitment WORD] [--timeout-seconds N]

  --slot        slot that answers must contain, such as the slot of your transaction
  --url         server to ask, key included (${defaultEndpointUrl}, as lamplight dev and demo serve);
                or LAMPLIGHT_URL
  --commitment  processed, confirmed or finalized (the level of the server's asset methods)
  --timeout-seconds  exit with 1 if the slot is not there by then (${TIMEOUT_SECONDS_DEFAULT})

Waits until answers contain a slot. While the server does not answer yet, or loads its store, it waits too.

Example:
  lamplight wait --url http://127.0.0.1:5267/v3/demo --slot 300000100`;

export const waitCommand: Command = {
  name: "wait",
  summary: "wait until answers contain a slot",
  usage,
  run: (args) => {
    const flags = readFlags(args);
    return runStoppable({
      run: (signal) => waitFor(flags, signal),
      onStopped: () => printError("stopped"),
    });
  },
};

interface WaitFlags {
  readonly url: string;
  readonly slot: bigint;
  readonly commitment: Commitment | undefined;
  readonly timeoutMs: number;
}

const readFlags = (args: readonly string[]): WaitFlags => {
  const values = parseFlags(args, {
    slot: { type: "string" },
    url: { type: "string" },
    commitment: { type: "string" },
    "timeout-seconds": { type: "string" },
  });
  const { slot = "", commitment, "timeout-seconds": seconds = String(TIMEOUT_SECONDS_DEFAULT) } = values;
  if (!/^\d{1,20}$/u.test(slot)) throw usageError("--slot must be a whole number");
  if (commitment !== undefined && !commitments.includes(commitment as Commitment))
    throw usageError(`--commitment must be ${commitments.join(", ")}`);
  const isSeconds = /^\d{1,5}(?:\.\d{1,3})?$/u.test(seconds) && Number(seconds) <= TIMEOUT_SECONDS_MAX;
  if (!isSeconds || Number(seconds) === 0)
    throw usageError(`--timeout-seconds must be a number above 0, up to ${TIMEOUT_SECONDS_MAX}`);
  return {
    url: urlOf(values.url, process.env),
    slot: BigInt(slot),
    commitment: commitment as Commitment | undefined,
    timeoutMs: Number(seconds) * 1000,
  };
};

/** Milliseconds between two attempts to reach a server that does not answer yet. */
const RETRY_MS = 250;

const waitFor = async (
  { url, slot, commitment, timeoutMs }: WaitFlags,
  signal: AbortSignal,
): Promise<number> => {
  const { name, redact } = parseEndpoint(url, ["http:", "https:"]);
  const startMs = performance.now();
  const isLate = (): boolean => performance.now() - startMs + RETRY_MS >= timeoutMs;
  let isNoted = false;
  for (;;) {
    const leftMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startMs)));
    try {
      const client = createClient({ url, signal, timeoutMs: leftMs, retry: false });
      await client.waitForSlot(slot, { commitment });
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
      print(`slot ${slot} can be read at ${name} (after ${seconds} s)`);
      return exitCodes.done;
    } catch (error) {
      signal.throwIfAborted();
      const { name: kind, message } = error as Error;
      if (kind === "TimeoutError") {
        printError(`lamplight: ${name}: ${message}`);
        return exitCodes.failed;
      }
      const isUnreachable = error instanceof NetworkError;
      // The server may still be starting.
      if (isUnreachable && !isLate()) {
        if (!isNoted) printError(`no server answers at ${name} yet; waiting up to ${timeoutMs / 1000} s`);
        isNoted = true;
        await sleep(RETRY_MS, undefined, { signal });
        continue;
      }
      const about = { url: name, reason: redact(reasonOf(error as Error)) };
      if (!isUnreachable) throw new LamplightError("SOURCE__REFUSED", about, { cause: error });
      throw new LamplightError("SERVER__UNREACHABLE", { ...about, setting: urlSettings }, { cause: error });
    }
  }
};

/** The code of the system where there is one: the client's words have hints for browsers. */
const reasonOf = ({ message, cause }: Error): string => {
  const { code, cause: inner } = (cause ?? {}) as {
    readonly code?: string;
    readonly cause?: { code?: string };
  };
  return code ?? inner?.code ?? message;
};
