import type { UnfinalizedWriter } from "@lamplight/core";
import { expect, test } from "vitest";
import { Delta } from "../engine/delta.ts";
import { DeltaDraft } from "../engine/delta-draft.ts";
import { SharedSlots } from "./shared-slots.ts";
import { encodeSlotBody } from "./slot-body.ts";
import { SlotTree } from "./slot-tree.ts";
import { Standstill } from "./standstill.ts";

const noAccounts = { readAccountStates: async () => [null] };

test.each([true, false])(
  "slots that are taken over have rows of the next set only for one: %s",
  async (needsNext) => {
    const watermark = { slot: 10, blockhash: null };
    const nextChanges = new Map([["id", { id: new Uint8Array(32), asset: null, isRecreated: false }]]);
    const changes = new Delta({ ...new DeltaDraft().finish(null), nextChanges });
    const body = await encodeSlotBody({ reported: null, changes });
    const writer: UnfinalizedWriter = {
      takeOverUnfinalized: async () => ({
        watermark,
        changeSeq: 1,
        confirmedSlot: 11,
        isWithdrawn: false,
        revision: 1,
        writer: "one",
        slots: [{ slot: 11, parent: 10, blockhash: null, revision: 1, body }],
      }),
      publishUnfinalized: async () => undefined,
    };
    const tree = new SlotTree(watermark, new Standstill());
    await SharedSlots.takeOver(writer, noAccounts, tree, needsNext);
    expect(tree.nodes().map((node) => node.changes.next.length)).toEqual([needsNext ? 1 : 0]);
  },
);
