import type { Slot } from "@lamplight/core";
import type { BankNames } from "./name-banks.ts";

export interface SimulationOptions {
  /** 0 to 2^32 - 1: the same seed gives the same chain and the same faults. */
  readonly seed: number;
  /** Writes of an average block; default 12. */
  readonly writesPerBlock?: number;
  readonly firstSlot?: Slot;
  /** Also compressed leaves, and slots and a clock that jump; default no. */
  readonly isChaotic?: boolean;
  /** Messages that carry the number of the bank; default none. */
  readonly bankNames?: BankNames;
}
