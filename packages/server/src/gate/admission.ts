import type { MaybePromise, UnfinishedAnswers } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { ServerEvents } from "../log/server-events.ts";
import type { Gate } from "./gate.ts";
import { type Permit, PlacesOfRequest } from "./places.ts";
import type { CallHolder, Holder } from "./shared-tally.ts";

/** Taken over the bound of all bodies, so that large bodies that never end keep no ordinary call out. */
const SMALL_BODY_BYTES = 4096;

/**
 * Counts what one request holds, from its first byte to its last. It may hold bytes of its body, bytes of answers in
 * progress or waiting for their batch, and places among the store's sessions. The connection counts what is being sent.
 */
export class Admission implements UnfinishedAnswers {
  readonly holder: Holder;
  readonly #gate: Gate;
  readonly #events: ServerEvents;
  #bodyBytes = 0;
  #places: PlacesOfRequest | null = null;
  #permits: Permit[] | null = null;
  #isOver = false;

  constructor(gate: Gate, events: ServerEvents, holder: Holder) {
    this.#gate = gate;
    this.#events = events;
    this.holder = holder;
  }

  /** Counts a part of the body, also while its calls wait; false, and nothing counted, where there is no room. */
  addBody(bytes: number): boolean {
    const { bodies } = this.#gate;
    const hasRoom = bodies.hasRoomForBytes(this.holder, bytes, this.#bodyBytes);
    if (!hasRoom && this.#bodyBytes + bytes > SMALL_BODY_BYTES) return false;
    bodies.add(this.holder, bytes);
    this.#bodyBytes += bytes;
    return true;
  }

  dropBody(): void {
    this.#gate.bodies.remove(this.holder, this.#bodyBytes);
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

  /** Takes a place for a session of the store. It is held until `dropPlaces`. */
  takePlace(isBatch: boolean): MaybePromise<Permit> {
    // Only calls read a store, and their key was right.
    this.#places ??= new PlacesOfRequest(this.holder as CallHolder, isBatch);
    const permit = this.#gate.places.take(this.#places);
    return permit instanceof Promise ? permit.then((later) => this.#hold(later)) : this.#hold(permit);
  }

  /** Gives one back early, in which no session was opened. */
  dropPlace(permit: Permit): void {
    const held = this.#permits?.indexOf(permit) ?? -1;
    if (held === -1) return;
    this.#permits!.splice(held, 1);
    permit.release();
  }

  /** Gives all back, and those that it may still be waiting for. */
  dropPlaces(): void {
    this.#isOver = true;
    const permits = this.#permits;
    this.#permits = null;
    if (permits !== null) for (const permit of permits) permit.release();
  }

  overOwed(): LamplightError {
    this.#events.note("overOwed", { owedBytes: this.#gate.answers.held });
    return new LamplightError("SERVER__BUSY", { reason: "too many answers have not been read" });
  }

  overBodies(): LamplightError {
    this.#events.note("overBodies", { bodyBytes: this.#gate.bodies.held });
    return new LamplightError("SERVER__BUSY", { reason: "too many request bodies are being received" });
  }

  #hold(permit: Permit): Permit {
    if (this.#isOver) permit.release();
    else if (this.#permits === null) this.#permits = [permit];
    else this.#permits.push(permit);
    return permit;
  }
}
