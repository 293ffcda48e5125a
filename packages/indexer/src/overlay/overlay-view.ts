import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  answerFrom,
  type AnswerTo,
  type Coverage,
  isTreeComplete,
  type LedgerKind,
  type LedgerState,
  type MaybePromise,
  parseTreeState,
  type ReadKind,
  type ReadOf,
  reads,
  type ReadView,
  type Slot,
  type TermReader,
  treeCoverageOf,
  type TreeCoverage,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { ledgerKey, newest, readThrough } from "../engine/layer.ts";
import type { BaseFacts, PathAssets } from "./base-facts.ts";
import { OverlayAccounts } from "./overlay-accounts.ts";
import { VIEW_ATTEMPTS_MAX } from "./limits.ts";
import { answers, type OverlayParts } from "./overlay-answers.ts";
import { OverlayAssets } from "./overlay-assets.ts";
import { OverlayHolders } from "./overlay-holders.ts";
import { OverlayEditions } from "./overlay-editions.ts";
import { OverlaySearch } from "./overlay-search.ts";
import type { Path } from "../engine/delta.ts";
import type { SlotTree } from "./slot-tree.ts";

/**
 * Whether a view of the finalized store is enough to answer at `tip`; null = at the finalized slot. A view that was
 * opened before the finalized slot moved is behind: an earlier answer may have been of the newer slot.
 */
export const isNewest = (base: ReadView, tip: Slot | null, tree: Pick<SlotTree, "finalizedSlot">): boolean =>
  tip === null ? base.slot >= tree.finalizedSlot : tip <= base.slot;

export const finalizedKeepsMoving = (): LamplightError =>
  new LamplightError("SERVER__BUSY", {
    reason: `the finalized slot moved during ${VIEW_ATTEMPTS_MAX} attempts to open a view`,
  });

/**
 * The chain at one unfinalized slot: its path over a view of the finalized store. Neither changes while the view is
 * open. It answers what the path touches, and passes other reads on.
 */
export class OverlayView implements ReadView, OverlayParts {
  readonly slot: Slot;
  readonly base: ReadView;
  readonly path: Path;
  readonly assets: OverlayAssets;
  readonly #readPathAssets: () => Promise<PathAssets>;
  // Made on first use: most calls need none of them.
  #accounts: OverlayAccounts | null = null;
  #holders: OverlayHolders | null = null;
  #search: OverlaySearch | null = null;
  #editions: OverlayEditions | null = null;

  /** @param base - of the finalized store below the path */
  constructor(slot: Slot, path: Path, base: ReadView, facts: BaseFacts) {
    this.slot = slot;
    this.path = path;
    this.base = base;
    this.#readPathAssets = () => facts.pathAssets(path, base);
    this.assets = new OverlayAssets(path, base, this.#readPathAssets);
  }

  read<Kind extends ReadKind>(asked: ReadOf<Kind>): MaybePromise<AnswerTo<Kind>> {
    return answerFrom<OverlayParts, Kind>(answers, this, asked);
  }

  get accounts(): OverlayAccounts {
    return (this.#accounts ??= new OverlayAccounts(this.path, this.base));
  }

  get holders(): OverlayHolders {
    return (this.#holders ??= new OverlayHolders(this.path, this.base));
  }

  get search(): OverlaySearch {
    return (this.#search ??= new OverlaySearch(this.path, this.base, this.#readPathAssets));
  }

  /** It collects the prints of the whole path. */
  get editions(): OverlayEditions {
    this.#editions ??= new OverlayEditions(this.path, this.base, (address) =>
      this.accounts.findAccount(address),
    );
    return this.#editions;
  }

  /** The terms of the finalized store: overlays are for readers of views, not for an index that follows the store. */
  get terms(): TermReader {
    return this.base.terms;
  }

  get coverage(): Coverage {
    return this.base.coverage;
  }

  get derivation(): ReadView["derivation"] {
    return this.base.derivation;
  }

  get incompleteTrees(): readonly TreeCoverage[] {
    const changed = new Map<string, TreeCoverage>();
    for (const changes of this.path.toReversed()) {
      for (const one of changes.ledger) {
        if (one.kind !== "tree") continue;
        const tree = encodeAddress(one.key);
        changed.set(tree, treeCoverageOf(tree, parseTreeState(one.state)));
      }
    }
    if (changed.size === 0) return this.base.incompleteTrees;
    return [
      ...this.base.incompleteTrees.filter(({ tree }) => !changed.has(tree)),
      ...[...changed.values()].filter((tree) => !isTreeComplete(tree)),
    ];
  }

  isTreeChanged(tree: AddressBytes): boolean {
    const key = ledgerKey("tree", tree);
    return this.path.some(({ ledgerStates }) => ledgerStates.has(key));
  }

  async isTreeIncomplete(tree: AddressBytes): Promise<boolean> {
    const key = ledgerKey("tree", tree);
    const changed = newest(this.path, ({ ledgerStates }) => ledgerStates.get(key));
    if (changed === undefined) return this.base.read(reads.isTreeIncomplete(tree));
    return !isTreeComplete(treeCoverageOf(encodeAddress(tree), parseTreeState(changed.state)));
  }

  readLedger(of: LedgerKind, keys: readonly AddressBytes[]): Promise<readonly (LedgerState | null)[]> {
    return readThrough<AddressBytes, LedgerState | null>(
      keys,
      (address) => {
        const key = ledgerKey(of, address);
        return newest(this.path, ({ ledgerStates }) => ledgerStates.get(key));
      },
      (rest) => this.base.read(reads.ledger(of, rest)),
    );
  }

  cancel(): void {
    this.base.cancel?.();
  }

  close(): void {
    this.base.close();
  }
}
