import type { ChainEvent, Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { YellowstoneUpdate } from "./decode-update.ts";

/**
 * Turns an update into chain events; none for updates that an index does not need.
 *
 * @throws LamplightError `SOURCE__BAD_MESSAGE` for a slot whose parent is itself or a later one
 */
export const chainEventsOf = (
  update: YellowstoneUpdate,
  commitment: "processed" | "confirmed",
): readonly ChainEvent[] => {
  switch (update.kind) {
    case "account":
      // Start-up accounts belong to no slot of the stream. A bulk load reads them.
      return update.isStartup ? [] : [{ kind: "account", account: update.account }];
    case "transaction":
      return update.isVote ? [] : [{ kind: "transaction", transaction: update.transaction }];
    case "blockMeta": {
      const { slot, parent } = update;
      assertBelow(slot, parent);
      const [blockhash, parentBlockhash] = [orNull(update.blockhash), orNull(update.parentBlockhash)];
      return [{ kind: "block", slot, parent, blockhash, parentBlockhash }];
    }
    case "slot":
      return slotEventsOf(update, commitment);
    case "ping":
    case "pong":
    case "other":
      return [];
    default:
      return update satisfies never;
  }
};

/** Absent text is empty in this protocol. */
const orNull = (text: string): string | null => (text === "" ? null : text);

const slotEventsOf = (
  { slot, parent, status: word }: Extract<YellowstoneUpdate, { kind: "slot" }>,
  commitment: "processed" | "confirmed",
): readonly ChainEvent[] => {
  if (parent !== null) assertBelow(slot, parent);
  switch (word) {
    case "createdBank":
      return [{ kind: "slot", slot, parent, status: "createdBank" }];
    case "processed":
      // A stream of confirmed slots reports their writes only before that status.
      return commitment === "processed" ? [{ kind: "slot", slot, parent, status: "complete" }] : [];
    case "confirmed": {
      const confirmed: ChainEvent = { kind: "slot", slot, parent, status: "confirmed" };
      return commitment === "processed" ? [confirmed] : [{ ...confirmed, status: "complete" }, confirmed];
    }
    case "finalized":
      return [{ kind: "slot", slot, parent, status: "finalized" }];
    case "dead":
      return [{ kind: "slot", slot, parent, status: "dead" }];
    case "firstShredReceived":
    case "completed":
      return [];
    default:
      return word satisfies never;
  }
};

/** Without this check, walking from slots to parents may never end. Slot 0 names itself. */
const assertBelow = (slot: Slot, parent: Slot): void => {
  if (parent < slot || slot === 0) return;
  throw new LamplightError("SOURCE__BAD_MESSAGE", { reason: `sets slot ${slot} upon slot ${parent}` });
};
