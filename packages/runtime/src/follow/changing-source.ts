import type { Coverage, FillingProgram } from "@lamplight/core";
import type { ProgramAccounts } from "@lamplight/sources/yellowstone";
import type { StageReporter } from "../process/load-stages.ts";

/** Accounts of a program, and what releases the threads and files that they come from. */
export interface OpenedProgram extends ProgramAccounts {
  /** @param isDone - whether no run has to continue */
  readonly close: (isDone: boolean) => Promise<void>;
}

/** A source whose programs change while it is followed. */
export interface ChangingSource {
  /** Whether the events that are taken now are of what `follow` asked for last. */
  readonly isStarted: boolean;
  /**
   * Asks for the programs of a coverage, also for those that are being added, once `isReady`.
   *
   * @returns whether it asked for others than before
   */
  follow(coverage: Coverage): boolean;
  /** Whether a program that is added can be followed. */
  isReady(program: string): boolean;
  /** Makes it ready. @throws LamplightError of the family SOURCE */
  prepare(program: string): Promise<void>;
  /**
   * Opens the accounts of a program that is followed.
   *
   * @param after - place of the last account that is not needed any more; null = all are needed
   * @param progress - of what takes long
   * @throws LamplightError of the families SOURCE and STORE
   */
  read(
    filling: FillingProgram,
    after: string | null,
    progress: Pick<StageReporter, "update">,
  ): Promise<OpenedProgram>;
  close(): void;
}
