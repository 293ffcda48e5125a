import { statSync } from "node:fs";
import { LamplightError } from "@lamplight/errors";

/**
 * The file that a path named when it was opened. Connections keep that file when it is replaced or deleted, and later
 * ones would open another one: answers would come from both.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #opened: string;

  constructor(path: string) {
    this.#path = path;
    this.#opened = identify(path);
  }

  /** Whether the path still names the file that was opened. */
  get isThere(): boolean {
    return identify(this.#path) === this.#opened;
  }

  /** @throws LamplightError `STORE__REPLACED` */
  assertThere(): void {
    if (!this.isThere) throw this.replaced();
  }

  replaced(): LamplightError {
    return new LamplightError("STORE__REPLACED", { store: this.#path });
  }
}

/** Device and inode; empty where there is no file, or none that can be reached. */
const identify = (path: string): string => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return "";
  }
};
