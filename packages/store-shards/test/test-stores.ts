import type { MaybePromise } from "@lamplight/core";

/** Where tests get the URLs of empty stores from. */
export interface TestStores {
  take(): MaybePromise<string>;
  /** Called when a test has closed its store. */
  giveBack?(url: string): Promise<void>;
}
