import {
  type AnswerTo,
  type Coverage,
  type ReadKind,
  type ReadOf,
  type Slot,
  type TreeCoverage,
} from "@lamplight/core";
import { OverlayAccounts, OverlayAssets, OverlayEditions } from "@lamplight/indexer";
import type { TransactionView } from "@lamplight/store-postgres";
import type { NumberedPath } from "../numbered-delta.ts";
import { handlers, type ShardsParts } from "./read-handlers.ts";
import type { MixedBase } from "./mixed-base.ts";
import { ShardsTerms } from "./shards-terms.ts";
import type { Touched } from "./touched.ts";

/**
 * The state of the newest published delta: its path over the rows of the shards. It is exact where no row of a newer
 * delta had started when an answer was complete, which `ShardsView` looks for.
 */
export class ShardsState implements ShardsParts {
  readonly slot: Slot;
  readonly coverage: Coverage;
  readonly incompleteTrees: readonly TreeCoverage[];
  readonly terms: ShardsTerms;
  readonly accounts: OverlayAccounts;
  readonly assets: OverlayAssets;
  readonly coordinator: TransactionView;
  readonly base: MixedBase;
  readonly #path: NumberedPath;
  #editions: OverlayEditions | null = null;

  constructor(coordinator: TransactionView, path: NumberedPath, touched: Touched, base: MixedBase) {
    const deltas = path.map(({ delta }) => delta);
    this.slot = coordinator.slot;
    this.coverage = coordinator.coverage;
    this.incompleteTrees = coordinator.incompleteTrees;
    this.coordinator = coordinator;
    this.base = base;
    this.#path = path;
    this.terms = new ShardsTerms(coordinator, path, touched, base);
    this.accounts = new OverlayAccounts(deltas, base);
    this.assets = new OverlayAssets(deltas, base, () => Promise.resolve(touched.assets));
  }

  async read<Kind extends ReadKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    return handlers[asked.kind](this, asked);
  }

  /** Created on first use: few calls need it. */
  get editions(): OverlayEditions {
    this.#editions ??= new OverlayEditions(
      this.#path.map(({ delta }) => delta),
      this.base,
    );
    return this.#editions;
  }

  cancel(): void {
    this.base.cancel();
    this.coordinator.cancel();
  }

  close(): void {
    this.base.close();
    this.coordinator.close();
  }
}
