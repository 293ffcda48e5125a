import type { Slot, UnfinalizedState } from "@lamplight/core";
import type { Delta, Path } from "../engine/delta.ts";
import { type DataBelow, dataBelow, noDataBelow } from "./shared-data.ts";
import { decodeSlotBody } from "./slot-body.ts";
import type { SlotNode } from "./slot-tree.ts";

/** A published slot in a process that reads it. */
export interface KnownSlot {
  readonly revision: number;
  /** Null for a body that another version wrote. */
  readonly node: SlotNode | null;
}

/**
 * Decodes published slots on their ancestors. A slot that refers to data that are not there now is left out, so that its
 * body is asked for again.
 *
 * @param slots - ascending
 * @param root - the finalized slot that they were read with
 * @param before - those that are known: they have no body again
 */
export const decodeSlots = async (
  slots: UnfinalizedState["slots"],
  root: Slot,
  before: ReadonlyMap<Slot, KnownSlot>,
  readFinalized: DataBelow,
): Promise<ReadonlyMap<Slot, KnownSlot>> => {
  const known = new Map<Slot, KnownSlot>();
  for (const { slot, parent, blockhash, revision, body } of slots) {
    const earlier = before.get(slot);
    if (body === null && earlier !== undefined) {
      known.set(slot, earlier);
      continue;
    }
    const path = pathTo(parent, root, known);
    const below = path === null ? noDataBelow : dataBelow(path, readFinalized);
    const content = body === null ? null : await decodeSlotBody(body, below);
    if (content === "missing") continue;
    known.set(slot, { revision, node: content && { ...content, slot, parent, blockhash, filled: 0 } });
  }
  return known;
};

/** Null where an ancestor is not read. */
const pathTo = (slot: Slot, root: Slot, known: ReadonlyMap<Slot, KnownSlot>): Path | null => {
  const path: Delta[] = [];
  for (let at = slot; at !== root;) {
    const node = known.get(at)?.node ?? null;
    if (node === null) return null;
    path.push(node.changes);
    at = node.parent;
  }
  return path;
};
