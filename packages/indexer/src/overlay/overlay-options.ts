import type {
  ChangeSet,
  CommitReceipt,
  IndexStore,
  ReadView,
  UnfinalizedWriter,
  ViewSource,
} from "@lamplight/core";
import type { DerivationOptions } from "../next/active-rules.ts";
import type { ReportProblem } from "../rules/rules.ts";
import type { OverlayBounds } from "./overlay-bounds.ts";

export interface ForkOverlayOptions extends OverlayBounds, DerivationOptions {
  /** A clock in milliseconds that never goes back; default `performance.now`. */
  readonly now?: () => number;
  /** The store's writer. Its watermark is the finalized slot of the overlay. */
  readonly store: IndexStore;
  /** Views of the same store. */
  readonly viewSource: ViewSource;
  /** Wraps these views for searches, such as in one that answers them from memory. Default: none is wrapped. */
  readonly over?: (view: ReadView) => ReadView;
  readonly onProblem?: ReportProblem;
  /** Called in the same turn as the commit, before a view of the new finalized slot can be opened. */
  readonly onCommit?: (changes: ChangeSet, receipt: CommitReceipt) => void;
  /**
   * Publishes unfinalized slots to other processes, and reads those that an earlier writer published. Default: none.
   */
  readonly shared?: UnfinalizedWriter;
  readonly closeFromTransactions?: boolean;
  /** Whether the close of an unknown account is ignored. A stream that reports every close sets it. */
  readonly ignoreUnknownClosings?: boolean;
}
