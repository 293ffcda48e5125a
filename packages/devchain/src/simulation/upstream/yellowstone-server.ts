import type { EventEmitter } from "node:events";
import { Server, ServerCredentials, type ServerDuplexStream, status } from "@grpc/grpc-js";
import type { ChainEvent, Slot } from "@lamplight/core";
import { encodePing, encodeUpdate } from "./encode-yellowstone.ts";
import { readRequest, type Subscription, wantsAccount } from "./read-request.ts";

export interface SimulatedYellowstoneOptions {
  /** Reads the events that are reported to a client that resumes; `restart` events are left out. */
  readonly replay: (from: Slot) => readonly ChainEvent[];
  /** Clients without this `x-token` are refused; null = no one is asked. */
  readonly token?: string | null;
}

/**
 * The server's answer to a `from_slot`. `all` replays; `ended` fails while there is no block from there on, as the
 * plugin does. `from` refuses slots before `oldest`, `none` refuses all, and `silent` ignores it.
 */
export type ReplayMode =
  | { readonly kind: "all" }
  | { readonly kind: "ended" }
  | { readonly kind: "from"; readonly oldest: Slot }
  | { readonly kind: "none" }
  | { readonly kind: "silent" };

type Call = ServerDuplexStream<Buffer, Uint8Array>;

/** A message, and the event it reports; null where it is not known, so that everybody gets it. */
interface Reported {
  readonly message: Uint8Array;
  readonly event: ChainEvent | null;
}

/**
 * A Yellowstone server on loopback that reports a simulated chain: the real protocol over real gRPC. A client receives
 * only the accounts that it asked for.
 */
export class SimulatedYellowstone {
  replayMode: ReplayMode = { kind: "all" };
  /** Where a client joins after its replay: before this message of the next ones that are sent; null = at once. */
  joinBefore: ((messages: number) => number) | null = null;
  /** Requests seen so far, as sent. */
  readonly requests: Buffer[] = [];
  pongs = 0;
  readonly #options: SimulatedYellowstoneOptions;
  #server = new Server();
  readonly #calls = new Set<Call>();
  /** Subscribed, and reported nothing yet. */
  readonly #joining = new Set<Call>();
  readonly #gone = new WeakSet<Call>();
  readonly #subscriptions = new WeakMap<Call, Subscription>();
  #port = 0;

  constructor(options: SimulatedYellowstoneOptions) {
    this.#options = options;
  }

  /** Starts on a free port, or again on the one it had. */
  async start(): Promise<string> {
    // A server that was shut down binds no port again.
    this.#server = new Server();
    this.#server.register(
      "/geyser.Geyser/Subscribe",
      (call: Call) => this.#serve(call),
      (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      (bytes: Buffer) => bytes,
      "bidi",
    );
    this.#port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(`127.0.0.1:${this.#port}`, ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
    return `http://127.0.0.1:${this.#port}`;
  }

  get subscribers(): number {
    return this.#calls.size + this.#joining.size;
  }

  emit(events: readonly ChainEvent[]): void {
    this.#deliver(reportedOf(events));
  }

  /** The messages that report these events, for callers that need them before their time. */
  encode(events: readonly ChainEvent[]): readonly Uint8Array[] {
    return events.flatMap((event) => encodeUpdate(event) ?? []);
  }

  /** To everybody, regardless of what was asked for. */
  send(messages: readonly Uint8Array[]): void {
    this.#deliver(messages.map((message) => ({ message, event: null })));
  }

  #deliver(reported: readonly Reported[]): void {
    const joinBefore = this.#joining.size === 0 ? -1 : (this.joinBefore?.(reported.length) ?? 0);
    for (const [index, one] of reported.entries()) {
      if (index === joinBefore) this.#admit();
      for (const call of this.#calls) this.#write(call, one);
    }
  }

  #write(call: Call, { message, event }: Reported): void {
    const subscription = this.#subscriptions.get(call);
    const isWanted =
      event?.kind !== "account" || subscription === undefined || wantsAccount(subscription, event.account);
    if (isWanted) call.write(message);
  }

  #admit(): void {
    for (const call of this.#joining) this.#calls.add(call);
    this.#joining.clear();
  }

  ping(): void {
    for (const call of this.#calls) call.write(encodePing());
  }

  /** Ends every stream as a server does that finds its reader too slow. */
  cutOff(code: status = status.INTERNAL, details = "lagged"): void {
    for (const call of [...this.#calls, ...this.#joining]) end(call, code, details);
    this.#calls.clear();
    this.#joining.clear();
  }

  /** Ends every stream without an error. */
  endStreams(): void {
    for (const call of [...this.#calls, ...this.#joining]) call.end();
    this.#calls.clear();
    this.#joining.clear();
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #serve(call: Call): void {
    const { token = null } = this.#options;
    if (token !== null && call.metadata.get("x-token")[0] !== token) {
      end(call, status.UNAUTHENTICATED, "No valid auth token");
      return;
    }
    call.on("data", (request: Buffer) => this.#takeRequest(call, request));
    call.on("end", () => call.end());
    const leave = (): void => {
      this.#gone.add(call);
      this.#calls.delete(call);
      this.#joining.delete(call);
    };
    call.on("cancelled", leave).on("error", leave).on("close", leave);
  }

  #takeRequest(call: Call, request: Buffer): void {
    // A request that holds only a ping begins with field 9.
    if (request[0] === 9 * 8 + 2) {
      this.pongs += 1;
      return;
    }
    this.requests.push(request);
    const subscription = readRequest(request);
    this.#subscriptions.set(call, subscription);
    const from = subscription.fromSlot;
    if (from !== null && !this.#allows(call, from)) return;
    if (from !== null && this.replayMode.kind !== "silent") {
      const replayed = this.#options.replay(from);
      if (this.replayMode.kind === "ended" && !replayed.some(({ kind }) => kind === "block"))
        return end(call, status.INTERNAL, "failed to get replay response");
      for (const one of reportedOf(replayed)) this.#write(call, one);
    }
    // A client may be gone before its request is read.
    if (this.#gone.has(call)) return;
    if (this.#calls.has(call)) return;
    if (this.joinBefore === null) this.#calls.add(call);
    else this.#joining.add(call);
  }

  #allows(call: Call, from: Slot): boolean {
    const { replayMode } = this;
    if (replayMode.kind === "none") {
      end(call, status.INTERNAL, "from_slot is not supported");
      return false;
    }
    if (replayMode.kind === "from" && from < replayMode.oldest) {
      const details = `broadcast from ${from} is not available, last available: ${replayMode.oldest}`;
      end(call, status.OUT_OF_RANGE, details);
      return false;
    }
    return true;
  }
}

const reportedOf = (events: readonly ChainEvent[]): readonly Reported[] =>
  events.flatMap((event) => {
    const message = encodeUpdate(event);
    return message === null ? [] : { message, event };
  });

/** Ends a stream with that status: what is written before still arrives. */
const end = (call: Call, code: status, details: string): void => {
  (call as EventEmitter).emit("error", Object.assign(new Error(details), { code, details }));
};
