import type { Slot, UnfinalizedChange, UnfinalizedSlot, UnfinalizedWriter } from "@lamplight/core";
import type { StateReader } from "../engine/state-reader.ts";
import { type DataBelow, dataBelow, noDataBelow } from "./shared-data.ts";
import { decodeSlotBody, encodeSlotBody } from "./slot-body.ts";
import type { SlotNode, SlotTree } from "./slot-tree.ts";
import { storedData } from "./stored-data.ts";

/**
 * Publishes the slots of a tree to other processes through the store. Each call compares the published slots with the
 * tree, so it also corrects what a failed call left.
 */
export class SharedSlots {
  readonly #writer: UnfinalizedWriter;
  readonly #readFinalized: DataBelow;
  readonly #published: Map<Slot, SlotNode>;
  /** Slots of an earlier writer that this one cannot use. */
  #stale: readonly Slot[];
  #confirmed: Slot | null = null;

  private constructor(
    writer: UnfinalizedWriter,
    readFinalized: DataBelow,
    published: Map<Slot, SlotNode>,
    stale: readonly Slot[],
  ) {
    this.#writer = writer;
    this.#readFinalized = readFinalized;
    this.#published = published;
    this.#stale = stale;
  }

  /**
   * Restores the unfinalized slots that an earlier writer of the same store published.
   *
   * @param store - the finalized accounts
   * @param needsNext - whether only slots serve that were derived by the rules of the next set, too. Otherwise what they
   *   have of one is left out, so that no commit writes it
   */
  static async takeOver(
    writer: UnfinalizedWriter,
    store: Pick<StateReader, "readAccountStates">,
    tree: SlotTree,
    needsNext: boolean,
  ): Promise<SharedSlots> {
    const readFinalized = storedData(store);
    const { slots, confirmedSlot } = await writer.takeOverUnfinalized();
    const published = new Map<Slot, SlotNode>();
    const stale: Slot[] = [];
    for (const { slot, parent, blockhash, body } of slots) {
      const below = belowIn(tree, parent, readFinalized);
      const content = body === null ? null : await decodeSlotBody(body, below);
      const isRead = content !== null && content !== "missing" && tree.hasParent(parent);
      if (!isRead || (needsNext && content.changes.nextChanges === null)) {
        stale.push(slot);
        continue;
      }
      const changes = needsNext ? content.changes : content.changes.withoutNext();
      // Pages that an earlier writer added come again.
      const node = { ...content, changes, slot, parent, blockhash, filled: 0 };
      tree.add(node);
      published.set(slot, node);
    }
    tree.confirm(confirmedSlot);
    return new SharedSlots(writer, readFinalized, published, stale);
  }

  /** Whether it publishes in that store: then the commit that switches the rules can exchange the slots. */
  isIn(store: object): boolean {
    return this.#writer === store;
  }

  /** The published slots above `top` by the rules of the next set, as one exchange. Slots up to it are left out. */
  async byNextRules(tree: SlotTree, top: Slot): Promise<UnfinalizedChange> {
    const known = tree.nodes().filter(({ slot }) => slot > top);
    const nodes = known.map((node) => ({ ...node, changes: node.changes.byNextRules() }));
    const { confirmedSlot } = tree.state();
    const dropped = [...this.#stale, ...this.#published.keys()].filter((slot) => !tree.has(slot));
    // The next `show` publishes them again: until then it is not certain that the commit was made.
    for (const node of nodes) this.#published.set(node.slot, node);
    return {
      added: await toShow(tree, nodes, this.#readFinalized),
      dropped,
      confirmedSlot: Math.max(top, confirmedSlot),
    };
  }

  /** Publishes an exchange to readers in the same process: they take it over in the turn of the commit. */
  async exchange(change: UnfinalizedChange): Promise<void> {
    await this.#writer.publishUnfinalized(change);
  }

  /**
   * @param readFinalized - where data of accounts were read already. Default: they are read
   * @throws LamplightError of the STORE family; the published slots are then either unchanged or up to date
   */
  async show(tree: SlotTree, readFinalized: DataBelow = this.#readFinalized): Promise<void> {
    const { finalizedSlot, confirmedSlot } = tree.state();
    for (const slot of this.#published.keys()) if (slot <= finalizedSlot) this.#published.delete(slot);
    const added = tree.nodes().filter((node) => this.#published.get(node.slot) !== node);
    const dropped = [...this.#stale, ...this.#published.keys()].filter((slot) => !tree.has(slot));
    if (added.length === 0 && dropped.length === 0 && confirmedSlot === this.#confirmed) return;
    const change: UnfinalizedChange = {
      added: await toShow(tree, added, readFinalized),
      dropped,
      confirmedSlot,
    };
    await this.#writer.publishUnfinalized(change);
    for (const node of added) this.#published.set(node.slot, node);
    for (const slot of dropped) this.#published.delete(slot);
    this.#stale = [];
    this.#confirmed = confirmedSlot;
  }
}

/** One after the other, so that data of a single account are read at a time. */
const toShow = async (
  tree: SlotTree,
  nodes: readonly SlotNode[],
  readFinalized: DataBelow,
): Promise<readonly UnfinalizedSlot[]> => {
  const shown: UnfinalizedSlot[] = [];
  for (const node of nodes) {
    const { slot, parent, blockhash } = node;
    const body = await encodeSlotBody(node, belowIn(tree, parent, readFinalized));
    shown.push({ slot, parent, blockhash, body });
  }
  return shown;
};

/** The data below a slot of the tree, or below one that is to be added to it. */
const belowIn = (tree: SlotTree, parent: Slot, readFinalized: DataBelow): DataBelow => {
  const path = tree.pathTo(parent, tree.finalizedSlot);
  return path === null ? noDataBelow : dataBelow(path, readFinalized);
};
