import type { BankId, ChainEvent } from "@lamplight/core";

/** Messages that carry the number of the bank: none, those of data and blocks, or all but `dead`. */
export type BankNames = "none" | "data" | "all";

/** The messages of one bank, as a server writes them. */
export const namedEvents = (
  events: readonly ChainEvent[],
  bank: BankId,
  names: BankNames,
): readonly ChainEvent[] => events.map((event) => (isNamed(event, names) ? { ...event, bank } : event));

const isNamed = (event: ChainEvent, names: BankNames): event is ChainEvent & { readonly bank?: BankId } => {
  if (names === "none") return false;
  if (event.kind === "slot") return names === "all" && event.status !== "dead";
  return event.kind === "account" || event.kind === "transaction" || event.kind === "block";
};
