import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { realFile } from "./store-path.ts";

/**
 * A store file in a read-only folder. The engine cannot create the index of its log there, so it reads the file as
 * immutable, without locks. Before each view, check that the file is unchanged.
 */
export class ImmutableFile {
  readonly #file: string;
  readonly #state: string;

  private constructor(file: string) {
    this.#file = file;
    this.#state = stateOf(file);
  }

  /**
   * The file to read in place of one that could not be opened.
   *
   * @throws the error of that, where the folder can be written
   * @throws LamplightError `STORE__LOG_LEFT` where a log is next to the file: its content would be missed
   */
  static insteadOf(file: string, error: unknown): ImmutableFile {
    if (!isLamplightError(error, "STORE__READ_ONLY")) throw error;
    if (hasLog(file)) throw new LamplightError("STORE__LOG_LEFT", { store: file }, { cause: error });
    return new ImmutableFile(file);
  }

  /** The path that the engine opens. */
  get url(): URL {
    const url = pathToFileURL(this.#file);
    url.searchParams.set("immutable", "1");
    return url;
  }

  /** False once a process that can write there has changed the file. */
  isUntouched(): boolean {
    return !hasLog(this.#file) && stateOf(this.#file) === this.#state;
  }
}

const hasLog = (file: string): boolean => existsSync(`${realFile(file)}-wal`);

const stateOf = (file: string): string => {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`;
};
