import type { RunningValidator } from "@lamplight/real-chain";
import type { Archive } from "./archives.ts";
import type { Follower } from "./followers.ts";

/** The participants in a run of traffic. */
export interface Scene {
  readonly followers: readonly Follower[];
  /** Folder of the stores and the kept archives. */
  readonly folder: string;
  /** Replaced when the validator is started again. */
  node: RunningValidator;
  /** Starts the validator again over its ledger. */
  readonly restart: (more?: readonly string[]) => Promise<RunningValidator>;
  /** The newest archive that was kept. */
  archive: Archive;
  readonly say: (line: string) => void;
  /** Descriptions of what did not happen as it should. */
  readonly problems: string[];
}
