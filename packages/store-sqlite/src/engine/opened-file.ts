import { type BigIntStats, statSync } from "node:fs";
import { LamplightError } from "@lamplight/errors";
import { Connection } from "./connection.ts";
import { FILE_CHECK_MS } from "./settings.ts";

/** What a file holds: which store, and up to which slot. Only the slot ever changes, and it only grows. */
interface Content {
  readonly storeId: string;
  readonly slot: bigint;
}

/** A page may be read while a checkpoint writes it: what is found once is not believed yet. */
const FINDINGS_MIN = 2;

/**
 * The file that a path named when it was opened. Connections keep that file when it is replaced or deleted, and later
 * ones would open another one: answers would come from both. Where it is overwritten in place, they would come from the
 * other store and from what connections still know of the first.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #opened: string;
  #state = "";
  #content: Content | null = null;
  #findings = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(path: string) {
    this.#path = path;
    this.#opened = identify(path);
    this.look();
  }

  /** Whether the path still names the file that was opened, with the store that it held. */
  get isThere(): boolean {
    return this.#findings < FINDINGS_MIN && identify(this.#path) === this.#opened;
  }

  /** @throws LamplightError `STORE__REPLACED` */
  assertThere(): void {
    if (!this.isThere) throw this.replaced();
  }

  replaced(): LamplightError {
    return new LamplightError("STORE__REPLACED", { store: this.#path });
  }

  /** As `look`, at most once in `FILE_CHECK_MS`. */
  lookNowAndThen(): void {
    if (performance.now() - this.#lookedAtMs >= FILE_CHECK_MS) this.look();
  }

  /** Looks at what the file holds, where it was written since the last time. */
  look(): void {
    this.#lookedAtMs = performance.now();
    const state = stateOf(this.#path);
    if (this.#findings >= FINDINGS_MIN || (state === this.#state && this.#findings === 0)) return;
    this.#state = state;
    const found = readContent(this.#path);
    if (found === null) return;
    if (this.#content === null || isLaterOf(found, this.#content)) {
      this.#content = found;
      this.#findings = 0;
    } else this.#findings++;
  }
}

const isLaterOf = (found: Content, known: Content): boolean =>
  found.storeId === known.storeId && found.slot >= known.slot;

const statOf = (path: string): BigIntStats | null => {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
};

/** Device and inode; empty where there is no file, or none that can be reached. */
const identify = (path: string): string => {
  const stat = statOf(path);
  return stat === null ? "" : `${stat.dev} ${stat.ino}`;
};

const stateOf = (path: string): string => {
  const stat = statOf(path);
  return stat === null ? "" : `${stat.size} ${stat.mtimeNs}`;
};

/**
 * Through a connection of its own, which has nothing in its cache. By the engine alone: to close the file by any other
 * way would end the locks that this process holds on it. Null where the file cannot be read as a store now.
 */
const readContent = (path: string): Content | null => {
  let connection: Connection | null = null;
  try {
    connection = new Connection(path, { readOnly: true, busyMs: 0 });
    const [storeId] = connection.prepare("SELECT value FROM meta WHERE key = 'store_id'").get() ?? [];
    const [slot] = connection.prepare("SELECT slot FROM head").get() ?? [];
    return typeof storeId === "string" && typeof slot === "bigint" ? { storeId, slot } : null;
  } catch {
    return null;
  } finally {
    connection?.close();
  }
};
