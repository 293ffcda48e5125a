import { CallRequest, type MethodSettings, turns, type ViewSource } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { ServerEvents } from "../log/server-events.ts";
import type { RequestRecord } from "../observe/request-record.ts";
import type { Moment, Queued } from "./fair-queue.ts";
import type { Holder, SharedBound } from "./shared-bound.ts";

/** What a request costs: nothing of the store, about one read, many rows, or several calls. */
export type RequestKind = "batch" | "cheap" | "list" | "without reads";

/** The members of `Gate` that one request needs. */
interface OpenGate {
  readonly answers: SharedBound;
  readonly bodies: SharedBound;
  readonly smallBodies: SharedBound;
  readonly bodyBytes: number;
  readonly placesMax: number;
  dropPlaces(request: GatedRequest): void;
  readonly queue: { takeFurtherPlace(batch: GatedRequest): Promise<void> | null };
}

/** Expensive calls that are answered in slices at the same time: with more of them, all would be late. */
const SLICED_CALLS_MAX = 8;

/** Whether its calls are answered in the turn in which they start. */
export const isCheap = (kind: RequestKind): boolean => kind === "cheap" || kind === "without reads";

/** Whether it waits for a place: it reads. */
export const needsPlace = ({ kind }: { readonly kind: RequestKind }): boolean => kind !== "without reads";

/** Whether it can start now: some that are answered in slices may be in progress. */
export const mayStart = (kind: RequestKind): boolean => isCheap(kind) || turns.interrupted < SLICED_CALLS_MAX;

export interface GatedRequestParts {
  readonly gate: OpenGate;
  readonly events: ServerEvents;
  readonly viewSource: ViewSource;
  readonly methodSettings: MethodSettings;
}

/** The first bytes of each body have a bound of their own, so that large bodies that never end keep no ordinary call out. */
const SMALL_BODY_BYTES = 4096;

/**
 * A request at the gate, from the first byte of its body until its reply: what it costs, what it waits for, and what it
 * holds. It may hold bytes of its body, bytes of answers in progress or waiting for their batch, and places among the
 * store's sessions: a batch that reads at several commitments holds several. The connection counts what is being sent.
 */
export abstract class GatedRequest extends CallRequest implements Queued {
  /** Null where nothing observes the request. */
  readonly record: RequestRecord | null;
  readonly holder: Holder;
  kind: RequestKind = "without reads";
  /** Places that it holds. */
  held = 0;
  /** Spare sessions that it uses in place of further places. */
  spare = 0;
  /** Places and spare sessions in which a view was opened. */
  used = 0;
  /** It waited too long for its first place: it opens no view. */
  isWithoutPlace = false;
  /** When it began to wait in the queue. */
  since: Moment = { ownMs: 0, wallMs: 0 };
  /** Ends its wait for a place. */
  placeTimer: NodeJS.Timeout | null = null;
  /** Whether it could not be started for want of a place. */
  isForPlace = false;
  readonly #gate: OpenGate;
  readonly #events: ServerEvents;
  #bodyBytes = 0;

  constructor(
    { gate, events, viewSource, methodSettings: settings }: GatedRequestParts,
    holder: Holder,
    record: RequestRecord | null,
  ) {
    super({ viewSource, settings });
    this.#gate = gate;
    this.#events = events;
    this.holder = holder;
    this.record = record;
  }

  /** Starts the calls. They may have been given up in the meantime. Whether all is answered already. */
  abstract begin(): boolean;

  /** Answers every call with a refusal. */
  protected abstract refuse(error: LamplightError): void;

  /** Its reads are refused; what reads nothing is answered. */
  beginWithoutPlace(): boolean {
    this.isWithoutPlace = true;
    return this.begin();
  }

  /** @param waiting - requests that wait to be admitted */
  refuseOverload(waiting: number): void {
    this.#events.note("overloaded", { waiting });
    this.refuse(
      new LamplightError("SERVER__BUSY", { reason: "calls arrive faster than they can be answered" }),
    );
  }

  /** Its caller took too many answers while the body arrived or the request waited. */
  refuseOwed(): void {
    this.refuse(this.overOwed());
  }

  /** Counts a part of the body, also while its calls wait; false, and nothing counted, where there is no room. */
  addBody(bytes: number): boolean {
    const { smallBodies, bodies } = this.#gate;
    const own = partsOf(this.#bodyBytes);
    const all = partsOf(this.#bodyBytes + bytes);
    const [small, large] = [all.small - own.small, all.large - own.large];
    if (small > 0 && !smallBodies.hasRoomForBytes(this.holder, small, own.small)) return false;
    if (large > 0 && !bodies.hasRoomForBytes(this.holder, large, own.large)) return false;
    smallBodies.add(this.holder, small, own.small);
    bodies.add(this.holder, large, own.large);
    this.#bodyBytes += bytes;
    return true;
  }

  dropBody(): void {
    const { small, large } = partsOf(this.#bodyBytes);
    this.#gate.smallBodies.remove(this.holder, small);
    this.#gate.bodies.remove(this.holder, large);
    this.#bodyBytes = 0;
  }

  /** Whether an answer of so many bytes may be sent. */
  hasRoom(bytes: number): boolean {
    return this.#gate.answers.hasRoomForBytes(this.holder, bytes);
  }

  /** @throws LamplightError `SERVER__BUSY` where there is no room for a part of an answer; it is counted all the same */
  override addAnswer(bytes: number, own: number): void {
    const { answers } = this.#gate;
    const hasRoom = answers.hasRoomForBytes(this.holder, bytes, own - bytes);
    answers.add(this.holder, bytes, own - bytes);
    if (!hasRoom) throw this.overOwed();
  }

  override removeAnswer(bytes: number): void {
    this.#gate.answers.remove(this.holder, bytes);
  }

  /** Counts a finished answer that waits to be sent, until `removeAnswer`. */
  keepAnswer(bytes: number): void {
    this.#gate.answers.add(this.holder, bytes);
  }

  /** The first view uses the place with which the request was started, and a further view another one. */
  protected override usePlace(): Promise<void> | null {
    if (this.isWithoutPlace) throw this.noPlace();
    if (this.used < this.held + this.spare) {
      this.used++;
      return null;
    }
    const place = this.#gate.queue.takeFurtherPlace(this);
    return place === null ? null : this.#noteWait(place);
  }

  async #noteWait(place: Promise<void>): Promise<void> {
    const sinceMs = performance.now();
    await place;
    this.record?.noteWait("read_view", performance.now() - sinceMs);
  }

  protected override stopUsingPlace(): void {
    this.used--;
  }

  dropPlaces(): void {
    if (this.held > 0) this.#gate.dropPlaces(this);
  }

  /** It waited too long for a place. */
  noPlace(): LamplightError {
    return new LamplightError("STORE__BUSY", { limit: this.#gate.placesMax });
  }

  overOwed(): LamplightError {
    return overOwed(this.#gate, this.#events);
  }

  overBodies(): LamplightError {
    this.#events.note("overBodies", { bodyBytes: this.#gate.bodyBytes });
    return new LamplightError("SERVER__BUSY", { reason: "too many request bodies are being received" });
  }
}

/** The error of an answer for which there is no room. */
export const overOwed = ({ answers }: Pick<OpenGate, "answers">, events: ServerEvents): LamplightError => {
  events.note("overOwed", { owedBytes: answers.held });
  return new LamplightError("SERVER__BUSY", { reason: "too many answers have not been read" });
};

/** The bytes of a body by the bound that they count for. */
const partsOf = (bytes: number): { readonly small: number; readonly large: number } => ({
  small: Math.min(bytes, SMALL_BODY_BYTES),
  large: Math.max(0, bytes - SMALL_BODY_BYTES),
});
