import { LamplightError } from "@lamplight/errors";

import type { Caller, KeyRing } from "../keys.ts";
import type { ServerEvents } from "../log/server-events.ts";
import type { Connection } from "./connection.ts";
import type { CountedResponse } from "./response.ts";
import type { KeyGuesses } from "../gate/key-guesses.ts";
import { ownText } from "./own-text.ts";

/**
 * Checks keys that a connection has not shown before. Addresses that send wrong ones are slowed. Callers behind one
 * proxy or network share an address: a key in use from there is not slowed by another caller's wrong keys.
 */
export class KeyCheck {
  readonly #keys: KeyRing;
  readonly #guesses: KeyGuesses;
  readonly #events: ServerEvents;

  constructor(keys: KeyRing, guesses: KeyGuesses, events: ServerEvents) {
    this.#keys = keys;
    this.#guesses = guesses;
    this.#events = events;
  }

  check(connection: Connection, response: CountedResponse, key: string): Caller | LamplightError {
    const { address } = response.holder;
    const caller = this.#keys.find(key);
    if (caller?.isUsedFrom(address) !== true && !this.#guesses.mayCheck(address)) {
      this.#events.note("slowedKeys", { address });
      return new LamplightError("REQUEST__RATE", { retryAfterSeconds: 1 });
    }
    if (caller === null) {
      this.#events.note("wrongKeys", { address });
      this.#guesses.onWrong(address);
      return new LamplightError("REQUEST__KEY_UNKNOWN", {});
    }
    const why = caller.whyRefused();
    if (why !== null) {
      this.#events.note("refusedKeys", { key: caller.name, why });
      return new LamplightError("REQUEST__KEY_NOT_ALLOWED", { why });
    }
    caller.noteUse(address);
    connection.key = ownText(key);
    connection.caller = caller;
    return caller;
  }
}
