import type { Coverage } from "@lamplight/core";
import type { YellowstoneSource } from "@lamplight/sources/yellowstone";
import type { ChangingSource, OpenedProgram } from "./changing-source.ts";
import { filtersOf } from "./followed-accounts.ts";
import { ProgramSource, type ProgramSourceOptions } from "./program-source.ts";

/** A stream is first asked for a program. Its accounts are read once every later write of them is streamed. */
export class StreamedPrograms implements ChangingSource {
  readonly #source: Pick<YellowstoneSource, "subscribe" | "asked">;
  readonly #programs: ProgramSource;
  /** The filters that the stream was last asked for. */
  #filters: ReturnType<typeof filtersOf>;

  /** @throws LamplightError `CLI__USAGE` for an invalid URL */
  constructor(source: Pick<YellowstoneSource, "subscribe" | "asked">, options: ProgramSourceOptions) {
    this.#source = source;
    this.#filters = source.asked;
    this.#programs = new ProgramSource(options);
  }

  get isStarted(): boolean {
    return this.#source.asked === this.#filters;
  }

  follow(coverage: Coverage): boolean {
    const filters = filtersOf(coverage);
    if (JSON.stringify(filters, textOf) === JSON.stringify(this.#filters, textOf)) return false;
    this.#filters = filters;
    this.#source.subscribe(filters);
    return true;
  }

  isReady(): boolean {
    return true;
  }

  async prepare(): Promise<void> {}

  read(...asked: Parameters<ChangingSource["read"]>): Promise<OpenedProgram> {
    return this.#programs.read(...asked);
  }

  close(): void {
    this.#programs.close();
  }
}

const textOf = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}` : value);
