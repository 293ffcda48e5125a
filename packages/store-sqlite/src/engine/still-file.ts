import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * A store file in a folder where nothing can be written: the engine cannot keep its log's index there, and reads the file
 * as one that never changes, without locks. Whether that is still so is to be asked before each view.
 */
export class StillFile {
  readonly #file: string;
  readonly #state: string;

  private constructor(file: string) {
    this.#file = file;
    this.#state = stateOf(file);
  }

  /** Null where a log lies next to the file: what is in it would be missed. */
  static find(file: string): StillFile | null {
    return hasLog(file) ? null : new StillFile(file);
  }

  /** What the engine opens. */
  get url(): URL {
    const url = pathToFileURL(this.#file);
    url.searchParams.set("immutable", "1");
    return url;
  }

  /** False once someone writes it, or has written it, from where they can. */
  isUntouched(): boolean {
    return !hasLog(this.#file) && stateOf(this.#file) === this.#state;
  }
}

const hasLog = (file: string): boolean => existsSync(`${file}-wal`);

const stateOf = (file: string): string => {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`;
};
