import { setTimeout as sleep } from "node:timers/promises";
import { type ClientDuplexStream, Client, credentials, Metadata } from "@grpc/grpc-js";
import { type ChainEvent, type Slot, SlotRate } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { EventQueue } from "../live/event-queue.ts";
import { chainEventsOf, slotOf } from "./chain-events.ts";
import { DoubtfulSlots } from "./doubtful-slots.ts";
import { decodeUpdate, type YellowstoneUpdate } from "./decode-update.ts";
import { encodeSubscribeRequest } from "./encode-request.ts";
import {
  ASK_AGAIN_MS,
  DOUBTFUL_SECONDS_MAX,
  DRAIN_MS_MAX,
  FIRST_ATTEMPTS_MAX,
  FLOW_CONTROL_BYTES,
  KEEPALIVE_MS,
  MESSAGE_BYTES_MAX,
  queuedBytesMax,
  QUEUED_EVENTS_MAX,
  REFUSED_MS as refusedMsDefault,
  REPLAY_REFUSALS_MAX,
  RENEW_MS_MIN,
  RETRY_MS_FIRST,
  RETRY_MS_MAX,
  SILENCE_MS_MAX,
  STEADY_MS_MIN,
} from "./limits.ts";
import { Pongs } from "./pongs.ts";
import { parseServerAddress, type ServerAddress } from "./server-address.ts";
import { understandEnd } from "./stream-end.ts";
import { StreamHorizon } from "./stream-horizon.ts";
import type { YellowstoneOptions, YellowstoneState } from "./yellowstone-options.ts";

type Call = ClientDuplexStream<Uint8Array, Buffer>;

/** The state of one stream. */
interface Stream {
  readonly call: Call;
  readonly queue: EventQueue<ChainEvent>;
  readonly horizon: StreamHorizon;
  /** Null where slots are always complete, or nothing is replayed. */
  readonly doubtful: DoubtfulSlots | null;
  askTimer: NodeJS.Timeout | null;
  /** Updates of a slot that is not accepted yet. */
  readonly doubted: { readonly update: YellowstoneUpdate; readonly bytes: number }[];
  readonly pongs: Pongs;
}

/**
 * The stream of a Yellowstone server as chain events, until `signal` aborts. It connects, resumes from the first slot
 * that the store lacks, and answers pings. It restarts when the stream ends, is too slow or is silent. Each stream
 * begins with `restart`; whether what it replays joins on to the store is for the reader to check, by parent slots.
 *
 * @throws LamplightError `CLI__USAGE` for a URL that is none; `SOURCE__REFUSED` when the server refuses token or
 * filters before any stream has reported something: later it is a problem that may pass; `SOURCE__UNREACHABLE` when
 * no connection ever comes about
 */
export class YellowstoneSource {
  readonly #options: YellowstoneOptions;
  readonly #rate: SlotRate;
  readonly #client: Client;
  readonly #address: ServerAddress;
  #accounts: YellowstoneOptions["accounts"];
  /** The filters of the stream whose events are read. */
  #asked: YellowstoneOptions["accounts"];
  #call: Call | null = null;
  #connections = 0;
  #messages = 0;
  #lastMessageMs: number | null = null;
  #lastReportedMs: number | null = null;
  #newestSlot: Slot | null = null;
  #startedMs = 0;
  /** Whether we ended the stream without a fault of the server. */
  #isRenewed = false;
  /** Whether the server answered, even with a refusal. */
  #hasAnswered = false;
  #queue: EventQueue<ChainEvent> | null = null;
  /** First slot of the replay if the server has less than requested; null = as requested. */
  #replayFrom: Slot | null | "live" = null;

  constructor(options: YellowstoneOptions) {
    this.#options = options;
    this.#accounts = options.accounts;
    this.#asked = options.accounts;
    this.#rate = options.rate ?? new SlotRate();
    this.#address = parseServerAddress(options.url);
    this.#client = new Client(
      this.#address.target,
      this.#address.isPlain ? credentials.createInsecure() : credentials.createSsl(),
      {
        "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
        "grpc.keepalive_time_ms": KEEPALIVE_MS,
        "grpc-node.flow_control_window": FLOW_CONTROL_BYTES,
        // gRPC must not retry by itself, because each stream needs its own first slot.
        "grpc.enable_retries": 0,
        "grpc.initial_reconnect_backoff_ms": options.retryMs ?? RETRY_MS_FIRST,
      },
    );
  }

  get state(): YellowstoneState {
    return {
      connected:
        this.#call !== null && this.#lastReportedMs !== null && this.#lastReportedMs >= this.#startedMs,
      connections: this.#connections,
      messages: this.#messages,
      queuedEvents: this.#queue?.size ?? 0,
      newestSlot: this.#newestSlot,
      replayRefused: this.#replayFrom !== null,
      lastMessageMs: this.#lastMessageMs,
      lastReportedMs: this.#lastReportedMs,
    };
  }

  /**
   * Ends the stream, so that the next one replays from the finalized slot. Waits until the stream has lasted some
   * seconds.
   */
  renew(reason: string = "a slot is missing, which another stream may bring"): void {
    const [call, queue] = [this.#call, this.#queue];
    if (call === null || queue === null) return;
    const { renewMs = RENEW_MS_MIN } = this.#options;
    const waitMs = Math.max(0, this.#startedMs + renewMs - performance.now());
    const end = (): void => {
      if (this.#call !== call) return;
      this.#isRenewed = true;
      this.#fail(queue, call, reason);
    };
    setTimeout(end, waitMs).unref();
  }

  /** Replaces the filters of accounts. The next stream has them, and is started soon. */
  subscribe(accounts: YellowstoneOptions["accounts"]): void {
    this.#accounts = accounts;
    this.renew("the coverage of the store changes");
  }

  /**
   * The filters of accounts of the stream whose events are being read. They differ from those of the last `subscribe`
   * while an older stream is read.
   */
  get asked(): YellowstoneOptions["accounts"] {
    return this.#asked;
  }

  async *events(): AsyncGenerator<ChainEvent, void> {
    const { signal, onProblem = () => {}, retryMs: first = RETRY_MS_FIRST } = this.#options;
    const { refusedMs = refusedMsDefault } = this.#options;
    let retryMs = first;
    let refusals = 0;
    try {
      while (!signal.aborted) {
        const before = this.#messages;
        this.#isRenewed = false;
        let wasRefused = false;
        try {
          yield* this.#stream();
        } catch (error) {
          if (signal.aborted) return;
          const end = understandEnd(error, {
            url: this.#address.name,
            token: this.#options.token,
            hasMovedOn: refusals > 0,
            hasWorked: this.#lastReportedMs !== null,
            rate: this.#rate,
          });
          const { problem, replayFrom } = end;
          this.#assertReachable(end.unreachable);
          wasRefused = end.wasRefused;
          onProblem(problem);
          if (!problem.retryable) throw problem;
          this.#replayFrom = replayFrom;
        }
        if (signal.aborted) return;
        const isSteady = this.#messages > before && performance.now() - this.#startedMs >= STEADY_MS_MIN;
        retryMs = isSteady || this.#isRenewed ? first : Math.min(retryMs * 2, RETRY_MS_MAX);
        // The server's oldest slot is known now, and waiting only loses more.
        refusals = this.#replayFrom === null ? 0 : refusals + 1;
        const asksAgain = refusals % REPLAY_REFUSALS_MAX > 0;
        // Half of it is random, so that clients of a restarted server do not connect at the same time.
        const waitMs = (wasRefused ? refusedMs : retryMs) * (0.5 + Math.random() / 2);
        if (!asksAgain) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#client.close();
    }
  }

  /** @throws LamplightError `SOURCE__UNREACHABLE` */
  #assertReachable(reason: string | null): void {
    if (reason === null || this.#messages > 0) this.#hasAnswered = true;
    if (reason === null || this.#hasAnswered || this.#options.callsForever === true) return;
    if (this.#connections < FIRST_ATTEMPTS_MAX) return;
    throw new LamplightError("SOURCE__UNREACHABLE", { url: this.#address.name, reason });
  }

  async *#stream(): AsyncGenerator<ChainEvent, void> {
    const { commitment, resumeFrom, signal, token } = this.#options;
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
    this.#startedMs = performance.now();
    const queue = new EventQueue<ChainEvent>({
      events: QUEUED_EVENTS_MAX,
      bytes: queuedBytesMax(),
      onFull: () => call.pause(),
      onRoom: () => call.resume(),
    });
    this.#queue = queue;
    const { drainMs = DRAIN_MS_MAX } = this.#options;
    let drainUntilMs = Infinity;
    const onAbort = (): void => {
      drainUntilMs = performance.now() + drainMs;
      call.cancel();
    };
    signal.addEventListener("abort", onAbort);
    const { silenceMs = SILENCE_MS_MAX } = this.#options;
    const silence = setTimeout(() => {
      // A stream that is paused does not count as silent.
      if (queue.isFull) silence.refresh();
      else this.#fail(queue, call, `no updates for ${silenceMs / 1000} s`);
    }, silenceMs);
    this.#asked = this.#accounts;
    const wanted = resumeFrom();
    const fromSlot = this.#replayFrom === "live" ? null : (this.#replayFrom ?? wanted);
    const stream: Stream = {
      call,
      queue,
      doubtful: commitment === "processed" && fromSlot !== null ? new DoubtfulSlots() : null,
      askTimer: null,
      pongs: new Pongs(call),
      horizon: new StreamHorizon(wanted - 1, this.#rate),
      doubted: [],
    };
    // Confirmed slots are reported one after another, each completely.
    queue.push(commitment === "processed" ? { kind: "restart", from: fromSlot } : { kind: "restart" }, 0);
    call.on("data", (message: Buffer) => {
      this.#messages += 1;
      this.#lastMessageMs = performance.now();
      try {
        if (this.#take(decodeUpdate(message), message.length, stream)) silence.refresh();
      } catch (error) {
        queue.fail(error);
        call.cancel();
      }
    });
    call.on("error", (error) => queue.fail(error));
    call.on("end", () => this.#fail(queue, call, "it ended the stream"));
    this.#ask(call, fromSlot);
    try {
      for await (const event of queue.drain()) {
        if (performance.now() >= drainUntilMs) return;
        yield event;
      }
    } finally {
      clearTimeout(silence);
      if (stream.askTimer !== null) clearTimeout(stream.askTimer);
      signal.removeEventListener("abort", onAbort);
      call.cancel();
      this.#call = null;
    }
  }

  /** @returns whether it reported anything of the chain */
  #take(update: YellowstoneUpdate, bytes: number, stream: Stream): boolean {
    const { queue, doubted } = stream;
    if (update.kind === "ping") stream.pongs.answer();
    // A message without a slot is empty, or of an unknown kind. Absent numbers are 0 in this protocol.
    const slot = slotOf(update);
    if (slot === null || slot === 0 || queue.isOver) return false;
    doubted.push({ update, bytes });
    if (!this.#isPlausible(slot, stream)) return false;
    this.#lastReportedMs = this.#lastMessageMs;
    for (const one of doubted.splice(0)) {
      if (one.update.kind === "slot" && stream.doubtful?.note(one.update) === true) this.#askSoon(stream);
      for (const event of chainEventsOf(one.update, this.#options.commitment)) queue.push(event, one.bytes);
    }
    return true;
  }

  #ask(call: Call, fromSlot: Slot | null): void {
    const { transactionPrograms, commitment } = this.#options;
    call.write(
      encodeSubscribeRequest({
        accounts: this.#asked,
        transactions: transactionPrograms.length === 0 ? {} : { programs: transactionPrograms },
        commitment,
        fromSlot,
      }),
    );
  }

  /** Waits for the end of a replay: each request during it would bring its rest once more. */
  #askSoon(stream: Stream): void {
    if (stream.askTimer === null) stream.askTimer = setTimeout(() => this.#askAgain(stream), ASK_AGAIN_MS);
    else stream.askTimer.refresh();
  }

  /** Sends the same subscription again. The stream continues without an interruption. */
  #askAgain(stream: Stream): void {
    stream.askTimer = null;
    // The rest of a replay waits until the queue is read.
    if (stream.queue.isFull) return this.#askSoon(stream);
    const slots = stream.doubtful?.take(this.#rate.slotsIn(DOUBTFUL_SECONDS_MAX)) ?? [];
    const [oldest] = slots;
    if (oldest === undefined || stream.queue.isOver) return;
    stream.queue.push({ kind: "again", slots }, 0);
    this.#ask(stream.call, oldest);
  }

  #isPlausible(slot: Slot, { call, queue, horizon }: Stream): boolean {
    try {
      if (!horizon.judge(slot)) return false;
    } catch (error) {
      this.#fail(queue, call, (error as Error).message);
      return false;
    }
    this.#newestSlot = horizon.newest;
    return true;
  }

  /** Ends a stream with a reason. The events that it has reported are still read. */
  #fail(queue: EventQueue<ChainEvent>, call: Call, reason: string): void {
    queue.fail(new LamplightError("SOURCE__LOST", { url: this.#address.name, reason }));
    call.cancel();
  }
}
