import type { ChainEvent, Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { YellowstoneUpdate } from "./decode-update.ts";

/**
 * An update in the words of the chain; none for what says nothing to an index.
 *
 * @throws LamplightError `SOURCE__BAD_MESSAGE` for a slot that is said to build on itself or a later one
 */
export const chainEventsOf = (
  update: YellowstoneUpdate,
  commitment: "processed" | "confirmed",
): readonly ChainEvent[] => {
  switch (update.kind) {
    case "account":
      // The start-up set belongs to no slot of the stream: its place is a bulk load.
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
      // A stream of confirmed slots shows what they wrote only before that status.
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

/** Anyone who walks from slots to their parents must arrive. Slot 0 names itself. */
const assertBelow = (slot: Slot, parent: Slot): void => {
  if (parent < slot || slot === 0) return;
  throw new LamplightError("SOURCE__BAD_MESSAGE", { reason: `sets slot ${slot} upon slot ${parent}` });
};
