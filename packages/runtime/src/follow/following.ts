import type { LiveStatus, ViewSource, Slot } from "@lamplight/core";
import type { SearchLife, SearchStatus } from "@lamplight/search";

/** One store that follows one source, any source: what commands and servers need to know of it. */
export interface Following {
  /** Views at every commitment. */
  readonly viewSource: ViewSource;
  /** Null while there is nothing finalized yet. */
  readonly finalizedSlot: Slot | null;
  /** Settles when following ends: well after `stop`, rejected when it cannot go on. */
  readonly ended: Promise<void>;
  status(): LiveStatus;
  samples(): readonly Sample[];
  /** Null where there is no search index, or not yet. */
  searchStatus(): SearchStatus | null;
  /** One line for people. */
  progress(): string;
  /** Ends it; what was finalized by then is in the store. */
  stop(): Promise<void>;
}

/** One line of metrics, `lamplight_follow_` before its name. */
export type Sample = readonly [name: string, type: "gauge" | "counter", value: number, labels?: string];

/**
 * Closing saves the index, which can always be filled again: a full disk must not keep the rest from being closed.
 *
 * @param search - null where there is none
 */
export const closeSearch = async (search: SearchLife | null, say: (line: string) => void): Promise<void> => {
  try {
    await search?.close();
  } catch (error) {
    say(`search index cannot be saved: ${String(error)}`);
  }
};
