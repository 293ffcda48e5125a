import type { MaybePromise, UnfinishedAnswers, ViewPlaces } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { ServerEvents } from "../log/server-events.ts";
import type { RequestRecord } from "../observe/request-record.ts";
import type { Gate } from "./gate.ts";
import { PlacesOfRequest } from "./places.ts";
import type { Holder } from "./shared-tally.ts";

/** The first bytes of each body have a bound of their own, so that large bodies that never end keep no ordinary call out. */
const SMALL_BODY_BYTES = 4096;

/**
 * Counts what one request holds, from its first byte to its last. It may hold bytes of its body, bytes of answers in
 * progress or waiting for their batch, and places among the store's sessions. The connection counts what is being sent.
 */
export class Admission implements UnfinishedAnswers, ViewPlaces {
  readonly holder: Holder;
  readonly places: PlacesOfRequest;
  readonly #gate: Gate;
  readonly #events: ServerEvents;
  readonly #record: RequestRecord | null;
  #bodyBytes = 0;

  /** @param record - null where nothing observes the request */
  constructor(gate: Gate, events: ServerEvents, holder: Holder, record: RequestRecord | null) {
    this.#gate = gate;
    this.#record = record;
    this.#events = events;
    this.holder = holder;
    this.places = new PlacesOfRequest(holder);
  }

  /** Counts a part of the body, also while its calls wait; false, and nothing counted, where there is no room. */
  addBody(bytes: number): boolean {
    const { smallBodies, bodies } = this.#gate;
    const own = partsOf(this.#bodyBytes);
    const all = partsOf(this.#bodyBytes + bytes);
    const [small, large] = [all.small - own.small, all.large - own.large];
    if (small > 0 && !smallBodies.hasRoomForBytes(this.holder, small, own.small)) return false;
    if (large > 0 && !bodies.hasRoomForBytes(this.holder, large, own.large)) return false;
    smallBodies.add(this.holder, small);
    bodies.add(this.holder, large);
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
  add(bytes: number, own: number): void {
    const { answers } = this.#gate;
    const hasRoom = answers.hasRoomForBytes(this.holder, bytes, own - bytes);
    answers.add(this.holder, bytes);
    if (!hasRoom) throw this.overOwed();
  }

  remove(bytes: number): void {
    this.#gate.answers.remove(this.holder, bytes);
  }

  /** Counts a finished answer that waits to be sent, until `remove`. */
  keep(bytes: number): void {
    this.#gate.answers.add(this.holder, bytes);
  }

  /**
   * Uses a place for a view: the one with which the request was started, or for a further view another one.
   *
   * @throws LamplightError `STORE__BUSY` where it has none
   */
  usePlace(): MaybePromise<void> {
    const place = this.#gate.places.use(this.places);
    return place instanceof Promise ? this.#noteWait(place) : place;
  }

  async #noteWait(place: Promise<void>): Promise<void> {
    const sinceMs = performance.now();
    await place;
    this.#record?.noteWait("read_view", performance.now() - sinceMs);
  }

  /** No view was opened in it: the next one may be. */
  stopUsingPlace(): void {
    this.places.used--;
  }

  dropPlaces(): void {
    this.#gate.places.release(this.places);
  }

  overOwed(): LamplightError {
    this.#events.note("overOwed", { owedBytes: this.#gate.answers.held });
    return new LamplightError("SERVER__BUSY", { reason: "too many answers have not been read" });
  }

  overBodies(): LamplightError {
    this.#events.note("overBodies", { bodyBytes: this.#gate.bodyBytes });
    return new LamplightError("SERVER__BUSY", { reason: "too many request bodies are being received" });
  }
}

/** The bytes of a body by the bound that they count for. */
const partsOf = (bytes: number): { readonly small: number; readonly large: number } => ({
  small: Math.min(bytes, SMALL_BODY_BYTES),
  large: Math.max(0, bytes - SMALL_BODY_BYTES),
});
