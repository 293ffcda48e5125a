import { type BigIntStats, statSync } from "node:fs";
import { LamplightError } from "@lamplight/errors";
import { Connection } from "./connection.ts";
import { FILE_CHECK_MS } from "./settings.ts";

/** Identity of a file: which store it is, and its slot. Only the slot changes, and it only grows. */
interface Content {
  readonly storeId: string;
  readonly slot: bigint;
}

/** A page may be read while a checkpoint writes it, so a difference counts only when it is seen twice. */
const FINDINGS_MIN = 2;

/**
 * The file that a path named when it was opened. Open connections keep a replaced or deleted file, and new ones would
 * open another one. Answers would then come from both. In an overwritten file, answers would mix the new pages with
 * cached ones.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #opened: string;
  #state = "";
  #content: Content | null = null;
  #findings = 0;
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(path: string) {
    this.#path = path;
    this.#opened = identify(path);
    this.check();
  }

  /** Whether the path still names the opened file, with the same store. */
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

  /** Calls `check` at most once in `FILE_CHECK_MS`. */
  checkRegularly(): void {
    if (performance.now() - this.#checkedAtMs >= FILE_CHECK_MS) this.check();
  }

  /** Reads the identity of the file again if it was written since the last time. */
  check(): void {
    this.#checkedAtMs = performance.now();
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

/** Device and inode; empty where there is no file, or it cannot be read. */
const identify = (path: string): string => {
  const stat = statOf(path);
  return stat === null ? "" : `${stat.dev} ${stat.ino}`;
};

const stateOf = (path: string): string => {
  const stat = statOf(path);
  return stat === null ? "" : `${stat.size} ${stat.mtimeNs}`;
};

/**
 * Uses a separate connection, which has no cached pages. The file must be read through the engine: closing it in any
 * other way would release this process's locks. Null where the file cannot be read as a store now.
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
