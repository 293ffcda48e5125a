import type { BankId, ChainEvent, Slot } from "@lamplight/core";
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
      return update.isStartup ? [] : [{ kind: "account", account: update.account, ...bankOf(update) }];
    case "transaction":
      return update.isVote
        ? []
        : [{ kind: "transaction", transaction: update.transaction, ...bankOf(update) }];
    case "blockMeta": {
      const { slot, parent } = update;
      assertBelow(slot, parent);
      const [blockhash, parentBlockhash] = [orNull(update.blockhash), orNull(update.parentBlockhash)];
      return [{ kind: "block", slot, parent, blockhash, parentBlockhash, ...bankOf(update) }];
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

const bankOf = ({ bank }: { readonly bank?: BankId }): { readonly bank?: BankId } =>
  bank === undefined ? {} : { bank };

const slotEventsOf = (
  update: Extract<YellowstoneUpdate, { kind: "slot" }>,
  commitment: "processed" | "confirmed",
): readonly ChainEvent[] => {
  const { slot, parent, status: word } = update;
  if (parent !== null) assertBelow(slot, parent);
  const of = { kind: "slot", slot, parent, ...bankOf(update) } as const;
  switch (word) {
    case "createdBank":
      return [{ ...of, status: "createdBank" }];
    case "processed":
      // A stream of confirmed slots reports their writes only before that status.
      return commitment === "processed" ? [{ ...of, status: "complete" }] : [];
    case "confirmed": {
      const confirmed: ChainEvent = { ...of, status: "confirmed" };
      return commitment === "processed" ? [confirmed] : [{ ...of, status: "complete" }, confirmed];
    }
    case "finalized":
      return [{ ...of, status: "finalized" }];
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

/** The slot that an update is of; null where it is of none. */
export const slotOf = (update: YellowstoneUpdate): Slot | null => {
  switch (update.kind) {
    case "account":
      return update.isStartup ? null : update.account.slot;
    case "transaction":
      return update.transaction.slot;
    case "slot":
    case "blockMeta":
      return update.slot;
    case "ping":
    case "pong":
    case "other":
      return null;
    default:
      return update satisfies never;
  }
};
