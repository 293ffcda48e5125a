import type { RunningValidator } from "@lamplight/real-chain";
import type { Archive } from "./archives.ts";
import type { Follower } from "./followers.ts";

/** What takes part in a run of traffic. */
export interface Scene {
  readonly followers: readonly Follower[];
  /** Where stores and kept archives are. */
  readonly folder: string;
  /** Replaced when the validator is started again. */
  node: RunningValidator;
  /** Starts the validator again over its ledger. */
  readonly restart: (more?: readonly string[]) => Promise<RunningValidator>;
  /** The newest archive that was kept. */
  archive: Archive;
  readonly say: (line: string) => void;
  /** What did not happen as it should, in words. */
  readonly problems: string[];
}
