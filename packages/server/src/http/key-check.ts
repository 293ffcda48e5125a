import { LamplightError } from "@lamplight/errors";

import type { Caller, KeyRing } from "../keys.ts";
import type { Limits } from "../limits.ts";
import type { ServerEvents } from "../log/server-events.ts";
import type { Connection } from "./connection.ts";
import type { CountedResponse } from "./counted-response.ts";
import { KeyGuesses } from "./key-guesses.ts";
import { ownText } from "./own-text.ts";

/**
 * Checks keys that a connection has not shown before. Addresses that send wrong ones are slowed. Callers behind one
 * proxy or network share an address: a key in use from there is not slowed by another caller's wrong keys.
 */
export class KeyCheck {
  readonly #keys: KeyRing;
  readonly #guesses: KeyGuesses;
  readonly #events: ServerEvents;

  constructor(keys: KeyRing, limits: Limits, events: ServerEvents, workers: number) {
    this.#keys = keys;
    this.#guesses = new KeyGuesses(limits, workers);
    this.#events = events;
  }

  /** Calls `done` at once, or later where the address is slowed down; never after the connection was closed. */
  check(
    connection: Connection,
    response: CountedResponse,
    key: string,
    done: (found: Caller | LamplightError) => void,
  ): void {
    const address = connection.addressOf(response);
    const caller = this.#keys.find(key);
    const waitMs = caller?.isUsedFrom(address) === true ? 0 : this.#guesses.reserve(address);
    if (waitMs === null) {
      this.#events.note("slowedKeys", { address });
      done(new LamplightError("REQUEST__RATE", {}));
    } else if (waitMs === 0) {
      done(this.#answer(connection, address, key, caller));
    } else {
      setTimeout(() => {
        if (!connection.socket.destroyed) done(this.#answer(connection, address, key, caller));
      }, waitMs);
    }
  }

  #answer(
    connection: Connection,
    address: string,
    key: string,
    caller: Caller | null,
  ): Caller | LamplightError {
    if (caller === null) {
      this.#events.note("wrongKeys", { address });
      this.#guesses.onWrong(address);
      return new LamplightError("REQUEST__KEY_UNKNOWN", {});
    }
    caller.noteUse(address);
    connection.key = ownText(key);
    connection.caller = caller;
    return caller;
  }
}
