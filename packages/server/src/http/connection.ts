import type { Socket } from "node:net";

import type { LamplightError } from "@lamplight/errors";

import { overOwed } from "../gate/gated-request.ts";
import type { Caller } from "../keys.ts";
import type { RequestRecord } from "../observe/request-record.ts";
import { forwardedAddress } from "./address.ts";
import type { ConnectionCounts } from "./connection-counts.ts";
import { answerBytesOf, type CountedResponse, type ResponseClient, sendBusy } from "./response.ts";
import type { Holder } from "../gate/shared-bound.ts";
import { dropInput, endAndLinger, giveUpSoon } from "./linger.ts";
import { OwedAnswers, type OwedParts } from "./owed-answers.ts";
import type { ReadTurns } from "./read-turns.ts";

/** @param broken - the record of the request that the error broke off, if any; null also where nothing observes it */
export type SendLastAnswer = (socket: Socket, broken: RequestRecord | null) => void;

export interface ConnectionParts extends OwedParts {
  /** Requests in progress by forwarded address; null where no proxy is trusted. */
  readonly addresses: ConnectionCounts | null;
  readonly readTurns: ReadTurns;
  readonly starter: {
    start(connection: Connection, response: CountedResponse, asksToContinue: boolean): void;
  };
}

/** Requests of one connection that were started, and whose answers are not taken; further ones wait. */
const REQUESTS_MAX = 8;

/** While requests wait, a connection is read up to here. Only a connection that is read shows that its caller has left. */
const READ_ON_BYTES = 16 << 10;

/** Parts of bodies in one chunk. Behind a chunk with so many, the connection waits for its turn to be read. */
const PARTS_MAX = 64;

interface WaitingRequest {
  readonly response: CountedResponse;
  readonly asksToContinue: boolean;
}

/**
 * Starts the requests of one connection. At most 8 have no answer that the caller has taken, so that what one connection
 * holds does not depend on whose requests they are, or on what is counted of their answers. Node parses all requests of a
 * chunk, up to 64 KB, before anything can stop it: those after the first wait here. While many wait, nothing more is read.
 */
export class Connection implements ResponseClient {
  readonly socket: Socket;
  /** Address of the caller's machine or network; see `addressOf`. */
  readonly address: string;
  /** The last key that was right on this connection, and whose it is: calls after the first cost no hash. */
  key = "";
  caller: Caller | null = null;
  /** The last Host that was allowed. */
  host = "";
  /** Heads received so far. */
  heads = 0;
  /** Sweeps of `Connections` since the last answer. */
  idleSweeps = 0;
  readonly #parts: ConnectionParts;
  readonly #owed: OwedAnswers;
  /** Requests that were started, and whose answers are not taken. */
  #untaken = 0;
  readonly #waiting: WaitingRequest[] = [];
  /** The refused request, and those behind it. Node keeps what it has parsed until the connection is closed. */
  #refused = 0;
  #isStepDue = false;
  #isPausing = false;
  /** Bytes that were read before the chunk of the newest head, and with it. */
  #readBefore = 0;
  #readWith = 0;
  /** Bytes that were read before the chunk in which requests began to wait. */
  #waitingFrom = 0;
  /** Parts of bodies in the newest chunk, and what was read with it. */
  #bodyParts = 0;
  #bodyPartsWith = 0;
  /** It waits for its turn to be read. */
  #isResting = false;
  /** An answer with `close` was given: nothing more is read, and nothing is written behind it. */
  #isClosing = false;
  /** Answers what Node could not read as HTTP, behind the answers to all requests before it. */
  #lastAnswer: SendLastAnswer | null = null;
  /** The request that the error broke off. It gets the last answer. */
  #broken: CountedResponse | null = null;
  /** The newest request, until it is answered: an error of the parser may break it off. */
  #newest: CountedResponse | null = null;
  /** Requests in progress that `addresses` counts. */
  readonly #forwarded = new Set<CountedResponse>();

  constructor(parts: ConnectionParts, socket: Socket, address: string) {
    this.#parts = parts;
    this.#owed = new OwedAnswers(parts, socket);
    this.socket = socket;
    this.address = address;
    socket.once("end", () => {
      // Node itself ends one that is idle.
      if (!this.isIdle) giveUpSoon(socket, () => this.#owed.bytes > 0);
    });
    // Node calls this behind an answer with `close`.
    socket.destroySoon = () => endAndLinger(socket);
  }

  get isIdle(): boolean {
    return this.#untaken === 0 && this.#isWithoutQueue;
  }

  get #isWithoutQueue(): boolean {
    return this.#waiting.length + this.#refused === 0;
  }

  onRequest(response: CountedResponse, asksToContinue: boolean): void {
    if (this.#isClosing && this.#refused === 0) return drop(response);
    this.heads++;
    const isFirst = this.#noteRead();
    this.idleSweeps = 0;
    response.holder = this.#holderOf(response);
    this.#newest = response;
    // The others of its chunk wait, also where each could be answered at once: together they would hold up all callers.
    if (this.isIdle && isFirst) this.#start(response, asksToContinue);
    else this.#hold({ response, asksToContinue });
  }

  /**
   * Node could not read what follows as HTTP. That gets one more answer, or the request that it breaks off gets it, and
   * the connection ends.
   */
  fail(answer: SendLastAnswer): void {
    if (this.#isClosing || this.#lastAnswer !== null) return;
    this.#lastAnswer = answer;
    if (this.#newest?.req.complete === true) this.#newest = null;
    this.#broken = this.#newest;
    if (this.#broken !== null && this.#waiting.at(-1)?.response === this.#broken) {
      this.#newest = null;
      this.#waiting.pop();
      this.#parts.gate.waiting.remove(this.#broken.holder, 1);
    }
    dropInput(this.socket);
    this.#goOn();
  }

  /**
   * Whom a request comes from, before its key is checked: the caller of the last key, at the address of the connection or
   * at the one that a trusted proxy forwards.
   */
  #holderOf({ req }: CountedResponse): Holder {
    const isProxied = this.#parts.addresses !== null;
    return { caller: this.caller, address: (isProxied ? forwardedAddress(req) : null) ?? this.address };
  }

  onBodyPart(): void {
    const { bytesRead } = this.socket;
    if (bytesRead !== this.#bodyPartsWith) {
      this.#bodyPartsWith = bytesRead;
      this.#bodyParts = 0;
    }
    if (++this.#bodyParts !== PARTS_MAX) return;
    this.#isResting = true;
    this.#pause();
    this.#parts.readTurns.add(this);
  }

  readOn(): void {
    this.#isResting = false;
    this.socket.resume();
  }

  /** The response has ended. It counts as owed until the system has taken all of it from us. */
  onAnswered(response: CountedResponse, chunk: unknown, encoding: unknown): void {
    if (this.#forwarded.size > 0) this.#leave(response);
    if (this.#newest === response) this.#newest = null;
    if (!response.shouldKeepAlive) this.#close();
    const isWritten = response.socket !== null && this.socket.writableLength === 0;
    if (response.owedBytes === 0 && !isWritten) this.#owed.add(response, answerBytesOf(chunk, encoding));
  }

  refusalOf(response: CountedResponse, bytes: number): LamplightError | null {
    const { gate, events } = this.#parts;
    return gate.answers.hasRoomForBytes(response.holder, bytes) ? null : overOwed(gate, events);
  }

  /** A large response begins, which is written as its caller takes it. All of it is owed from now on. */
  onLarge(response: CountedResponse, bytes: number): void {
    this.#owed.add(response, bytes);
  }

  /** The system has taken the whole response. */
  onTaken(response: CountedResponse): void {
    if (this.socket.destroyed) return;
    if (response.owedBytes > 0) this.#owed.remove(response);
    this.#untaken--;
    this.#goOn();
  }

  onClosed(): void {
    const { gate } = this.#parts;
    this.#owed.removeAll();
    this.#dropWaiting();
    gate.refusedRequests -= this.#refused;
    this.#refused = 0;
    if (this.#broken !== null) drop(this.#broken);
    for (const response of this.#forwarded) this.#leave(response);
  }

  #start(response: CountedResponse, asksToContinue: boolean): void {
    const { addresses, starter, events } = this.#parts;
    this.#untaken++;
    if (addresses !== null) {
      const { address } = response.holder;
      if (!addresses.enterAddress(address)) {
        events.note("addressFull", { address });
        return sendBusy(response, "too many requests of this address are in progress");
      }
      this.#forwarded.add(response);
    }
    starter.start(this, response, asksToContinue);
  }

  #leave(response: CountedResponse): void {
    if (this.#forwarded.delete(response)) this.#parts.addresses!.leaveAddress(response.holder.address);
  }

  #goOn(): void {
    if (this.#waiting.length > 0) return this.#stepLater();
    if (this.#isClosing) return;
    // The request that the error broke off has no other answer.
    const broken = this.#newest === null ? 0 : 1;
    if (this.#lastAnswer !== null && this.#untaken <= broken) {
      this.#isClosing = true;
      this.#lastAnswer(this.socket, this.#broken?.record ?? null);
    }
  }

  /** Drops what arrived behind the request of an answer with `close`. */
  #close(): void {
    this.#isClosing = true;
    // The refusal of one request too many is behind all that wait.
    if (this.#refused === 0) this.#dropWaiting();
    dropInput(this.socket);
  }

  #dropWaiting(): void {
    for (const { response } of this.#waiting.splice(0)) {
      this.#parts.gate.waiting.remove(response.holder, 1);
      drop(response);
    }
  }

  #hold(waiting: WaitingRequest): void {
    if (this.socket.destroyed) return drop(waiting.response);
    const { gate, limits } = this.#parts;
    const { holder } = waiting.response;
    if (this.#refused === 0 && gate.waiting.hasRoom(holder, 1)) {
      if (this.#waiting.length === 0) this.#waitingFrom = this.#readBefore;
      gate.waiting.add(holder, 1);
      this.#waiting.push(waiting);
      this.#stepLater();
    } else {
      this.#refused++;
      gate.refusedRequests++;
      if (this.#refused === 1) this.#refuse(waiting.response);
      else {
        drop(waiting.response);
        if (gate.refusedRequests > limits.waitingRequests) this.socket.destroy();
      }
    }
    this.#pause();
  }

  #refuse(response: CountedResponse): void {
    const { gate, events } = this.#parts;
    this.#untaken++;
    const { address } = response.holder;
    events.note("refusedRequests", { address, waitingRequests: gate.waiting.held });
    response.shouldKeepAlive = false;
    sendBusy(response, "too many requests are waiting");
  }

  /**
   * Stops reading, where enough waits or it is not its turn. Node begins to read again on its own when a message is
   * complete or an answer has been taken, so that this has to be said behind its work, and again at every `resume`.
   */
  #pause(): void {
    if (!this.#isPausing) this.socket.on("resume", () => pauseWhereFull(this));
    this.#isPausing = true;
    process.nextTick(pauseWhereFull, this);
  }

  /** Whether the newest head is the first of its chunk. */
  #noteRead(): boolean {
    const { bytesRead } = this.socket;
    if (bytesRead === this.#readWith) return false;
    this.#readBefore = this.#readWith;
    this.#readWith = bytesRead;
    return true;
  }

  pauseWhereFull(): void {
    if (this.#isClosing) return;
    if (this.#isResting) return void this.socket.pause();
    if (this.#isWithoutQueue) return;
    const read = this.socket.bytesRead - this.#waitingFrom;
    if (this.#refused > 0 || read >= READ_ON_BYTES) this.socket.pause();
  }

  #stepLater(): void {
    if (this.#isStepDue) return;
    this.#isStepDue = true;
    setImmediate(() => this.#step());
  }

  /** One request a turn. Anything that stops it here, an answer that ends or is taken, makes it go on. */
  #step(): void {
    this.#isStepDue = false;
    const [next] = this.#waiting;
    if (next === undefined || this.#untaken >= REQUESTS_MAX || this.#owed.isTooMuch) return;
    this.#waiting.shift();
    this.#parts.gate.waiting.remove(next.response.holder, 1);
    this.#start(next.response, next.asksToContinue);
    if (this.#waiting.length > 0) this.#stepLater();
    else if (this.#isWithoutQueue) this.socket.resume();
  }
}

/** A request that gets no answer of its own. */
const drop = ({ record }: CountedResponse): void => record?.end(0, 0);

const pauseWhereFull = (connection: Connection): void => connection.pauseWhereFull();
