import { setTimeout as sleep } from "node:timers/promises";
import {
  type ClientDuplexStream,
  Client,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import type { ChainEvent, Slot } from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { EventQueue } from "../live/event-queue.ts";
import { decodeUpdate, type YellowstoneUpdate } from "./decode-update.ts";
import { type AccountsFilter, encodePingRequest, encodeSubscribeRequest } from "./encode-request.ts";
import {
  flowControlBytes,
  keepaliveMs,
  messageBytesMax,
  queuedEventsMax,
  renewMsMin,
  retryMsFirst,
  retryMsMax,
  silenceMsMax,
} from "./limits.ts";
import { parseServerAddress, type ServerAddress } from "./server-address.ts";

export interface YellowstoneOptions {
  /** `https://HOST[:PORT]`, or `http://` for a plain connection. */
  readonly url: string;
  /** Sent as `x-token`; null = none. */
  readonly token: string | null;
  readonly accounts: Readonly<Record<string, AccountsFilter>>;
  /** Base58 text of the programs whose transactions are wanted. */
  readonly transactionPrograms: readonly string[];
  /** `confirmed` comes grouped and later; `processed` is needed to answer that commitment. */
  readonly commitment: "processed" | "confirmed";
  /** First slot that is not in the store: asked for at every connection. */
  readonly resumeFrom: () => Slot;
  readonly signal: AbortSignal;
  readonly onProblem?: (error: LamplightError) => void;
  /** Milliseconds before the first retry; doubles up to half a minute. */
  readonly retryMs?: number;
  /** Least milliseconds from the beginning of a stream to its renewal. */
  readonly renewMs?: number;
  /** Milliseconds without any word of the chain, pings aside, after which a stream is begun anew. */
  readonly silenceMs?: number;
}

export interface YellowstoneState {
  /** Whether the stream that there is has told anything of the chain: a server that only pings follows none. */
  readonly connected: boolean;
  readonly connections: number;
  readonly messages: number;
  readonly queuedEvents: number;
  /** The server could not replay from where we asked: slots are missing until something else brings them. */
  readonly replayRefused: boolean;
  readonly lastMessageMs: number | null;
  /** Of the last message that told something of the chain. */
  readonly lastToldMs: number | null;
}

type Call = ClientDuplexStream<Uint8Array, Buffer>;

/**
 * The stream of a Yellowstone server as chain events, for as long as `signal` allows: connects, resumes from the first
 * slot that the store has not, answers pings, and begins anew when the stream ends, lags or falls silent. Each stream
 * begins with `restart`; whether what it replays joins on to the store is for the reader to check, by parent slots.
 *
 * @throws LamplightError `CLI__USAGE` for a URL that is none; `SOURCE__REFUSED` when the server refuses token or filters
 */
export class YellowstoneSource {
  readonly #options: YellowstoneOptions;
  readonly #client: Client;
  readonly #address: ServerAddress;
  #call: Call | null = null;
  #connections = 0;
  #messages = 0;
  #lastMessageMs: number | null = null;
  #lastToldMs: number | null = null;
  #startedMs = 0;
  #queue: EventQueue<ChainEvent> | null = null;
  /** Where replay begins when the server has less than we asked for; null = where we asked. */
  #replayFrom: Slot | null | "live" = null;

  constructor(options: YellowstoneOptions) {
    this.#options = options;
    this.#address = parseServerAddress(options.url);
    this.#client = new Client(
      this.#address.target,
      this.#address.isPlain ? credentials.createInsecure() : credentials.createSsl(),
      {
        "grpc.max_receive_message_length": messageBytesMax,
        "grpc.keepalive_time_ms": keepaliveMs,
        "grpc-node.flow_control_window": flowControlBytes,
        // Retrying is ours: each stream has to be told where to begin.
        "grpc.enable_retries": 0,
        "grpc.initial_reconnect_backoff_ms": options.retryMs ?? retryMsFirst,
      },
    );
  }

  get state(): YellowstoneState {
    return {
      connected: this.#call !== null && this.#lastToldMs !== null && this.#lastToldMs >= this.#startedMs,
      connections: this.#connections,
      messages: this.#messages,
      queuedEvents: this.#queue?.size ?? 0,
      replayRefused: this.#replayFrom !== null,
      lastMessageMs: this.#lastMessageMs,
      lastToldMs: this.#lastToldMs,
    };
  }

  /** Ends the stream, so that the next one replays from the root; at the earliest some seconds after it began. */
  renew(): void {
    const call = this.#call;
    if (call === null) return;
    const { renewMs = renewMsMin } = this.#options;
    const waitMs = Math.max(0, this.#startedMs + renewMs - Date.now());
    setTimeout(() => call.cancel(), waitMs).unref();
  }

  async *events(): AsyncGenerator<ChainEvent, void> {
    const { signal, onProblem = () => {}, retryMs: first = retryMsFirst } = this.#options;
    let retryMs = first;
    try {
      while (!signal.aborted) {
        const before = this.#messages;
        try {
          yield* this.#stream();
        } catch (error) {
          const problem = this.#understand(error);
          if (signal.aborted) return;
          onProblem(problem);
          if (!problem.retryable) throw problem;
        }
        if (signal.aborted) return;
        retryMs = this.#messages > before ? first : Math.min(retryMs * 2, retryMsMax);
        // Half of it is chance, so that clients of a restarted server do not come all at once.
        await sleep(retryMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#client.close();
    }
  }

  async *#stream(): AsyncGenerator<ChainEvent, void> {
    const { accounts, transactionPrograms, commitment, resumeFrom, signal, token } = this.#options;
    const metadata = new Metadata();
    if (token !== null) metadata.set("x-token", token);
    const call: Call = this.#client.makeBidiStreamRequest(
      "/geyser.Geyser/Subscribe",
      (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      (bytes: Buffer) => bytes,
      metadata,
    );
    this.#call = call;
    this.#connections += 1;
    this.#startedMs = Date.now();
    const queue = new EventQueue<ChainEvent>(queuedEventsMax, {
      onFull: () => call.pause(),
      onRoom: () => call.resume(),
    });
    this.#queue = queue;
    const onAbort = (): void => call.cancel();
    signal.addEventListener("abort", onAbort);
    const silence = setTimeout(() => call.cancel(), this.#options.silenceMs ?? silenceMsMax);
    const fromSlot = this.#replayFrom === "live" ? null : (this.#replayFrom ?? resumeFrom());
    // Confirmed slots are told one after another, each as a whole.
    queue.push(commitment === "processed" ? { kind: "restart", from: fromSlot } : { kind: "restart" });
    call.on("data", (message: Buffer) => {
      this.#messages += 1;
      this.#lastMessageMs = Date.now();
      try {
        if (this.#take(decodeUpdate(message), call, queue)) silence.refresh();
      } catch (error) {
        queue.fail(error);
        call.cancel();
      }
    });
    call.on("error", (error) => queue.fail(error));
    call.on("end", () => queue.end());
    call.write(
      encodeSubscribeRequest({
        accounts,
        transactions: transactionPrograms.length === 0 ? {} : { programs: transactionPrograms },
        commitment,
        fromSlot,
      }),
    );
    try {
      yield* queue.drain();
    } finally {
      clearTimeout(silence);
      signal.removeEventListener("abort", onAbort);
      call.cancel();
      this.#call = null;
    }
  }

  /** @returns whether it told anything of the chain */
  #take(update: YellowstoneUpdate, call: Call, queue: EventQueue<ChainEvent>): boolean {
    if (update.kind === "ping") call.write(encodePingRequest(1));
    if (update.kind === "ping" || update.kind === "pong") return false;
    this.#lastToldMs = this.#lastMessageMs;
    for (const event of chainEventsOf(update, this.#options.commitment)) queue.push(event);
    return true;
  }

  /** What the end of a stream means, and what the next one should do about it. */
  #understand(error: unknown): LamplightError {
    const { name: url } = this.#address;
    if (isLamplightError(error)) return error;
    const { code, details = "", message } = error as Partial<ServiceError> & Error;
    const reason = this.#redact(details === "" ? message : details);
    const isRefused =
      code === status.UNAUTHENTICATED ||
      code === status.PERMISSION_DENIED ||
      code === status.INVALID_ARGUMENT;
    if (isRefused) return new LamplightError("SOURCE__REFUSED", { url, reason }, { cause: error });
    const oldest = /last available: (\d+)/u.exec(reason)?.[1];
    if (code === status.OUT_OF_RANGE) this.#replayFrom = oldest === undefined ? "live" : Number(oldest);
    else if (/from_slot is not supported/u.test(reason)) this.#replayFrom = "live";
    else this.#replayFrom = null;
    return new LamplightError("SOURCE__LOST", { url, reason }, { cause: error });
  }

  /** Servers may quote the token that they refuse. */
  #redact(text: string): string {
    const { token } = this.#options;
    return token === null || token === "" ? text : text.replaceAll(token, "…");
  }
}

/** An update in the words of the chain; none for what says nothing to an index. */
const chainEventsOf = (
  update: YellowstoneUpdate,
  commitment: "processed" | "confirmed",
): readonly ChainEvent[] => {
  switch (update.kind) {
    case "account":
      // The start-up set belongs to no slot of the stream: its place is a bulk load.
      return update.isStartup ? [] : [{ kind: "account", account: update.account }];
    case "transaction":
      return update.isVote ? [] : [{ kind: "transaction", transaction: update.transaction }];
    case "blockMeta": {
      const { slot, parent } = update;
      const [blockhash, parentBlockhash] = [orNull(update.blockhash), orNull(update.parentBlockhash)];
      return [{ kind: "block", slot, parent, blockhash, parentBlockhash }];
    }
    case "slot":
      return slotEventsOf(update, commitment);
    case "ping":
    case "pong":
    case "other":
      return [];
    default:
      return update satisfies never;
  }
};

/** Absent text is empty in this protocol. */
const orNull = (text: string): string | null => (text === "" ? null : text);

const slotEventsOf = (
  { slot, parent, status: word }: Extract<YellowstoneUpdate, { kind: "slot" }>,
  commitment: "processed" | "confirmed",
): readonly ChainEvent[] => {
  switch (word) {
    case "createdBank":
      return [{ kind: "slot", slot, parent, status: "begun" }];
    case "processed":
      // A stream of confirmed slots tells what they wrote only before that status.
      return commitment === "processed" ? [{ kind: "slot", slot, parent, status: "complete" }] : [];
    case "confirmed": {
      const confirmed: ChainEvent = { kind: "slot", slot, parent, status: "confirmed" };
      return commitment === "processed" ? [confirmed] : [{ ...confirmed, status: "complete" }, confirmed];
    }
    case "finalized":
      return [{ kind: "slot", slot, parent, status: "finalized" }];
    case "dead":
      return [{ kind: "slot", slot, parent, status: "dead" }];
    case "firstShredReceived":
    case "completed":
      return [];
    default:
      return word satisfies never;
  }
};
