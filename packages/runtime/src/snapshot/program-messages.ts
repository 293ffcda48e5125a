import type { Account, Slot } from "@lamplight/core";

/** The archives that programs are filled from. */
export interface SnapshotPlace {
  /** File, folder or URL. */
  readonly full: string;
  readonly incremental: string | null;
  /** Folder of temporary files. */
  readonly folder: string;
}

/** A thread that reads a program receives these values at its start. */
export interface ProgramThreadData extends SnapshotPlace {
  /** Base58 text. */
  readonly program: string;
  /** An older snapshot is refused. */
  readonly minSlot: Slot;
  /** Place of the last account that is not needed any more; null = all are needed. */
  readonly after: string | null;
}

/** First `stage`, then `next` until it answers no accounts. */
export type ProgramTask = "stage" | "next";

export type ProgramDone =
  | StagedProgram
  | { readonly kind: "accounts"; readonly accounts: readonly Account[] };

/** A snapshot that was read and compared with its own totals. */
export interface StagedProgram {
  readonly kind: "staged";
  /** The newest archive, as errors name it. */
  readonly archive: string;
  readonly slot: Slot;
  /** Base58 text; null = the archive does not have it. */
  readonly blockhash: string | null;
  /** Accounts of the program that follow `after`. */
  readonly count: number;
}
