import {
  closedAccount,
  type Account,
  type AddressBytes,
  type LedgerKind,
  ledgerKinds,
  type LedgerState,
  nodesStateKey,
  type Transaction,
} from "@lamplight/core";
import type { LedgerEvent, LedgerRule, ReportProblem, RuleBook } from "../rules/rules.ts";
import { AddressMap } from "./address-map.ts";
import { lowerSlot, type Touched } from "./apply-accounts.ts";
import type { DeltaDraft } from "./delta-draft.ts";
import type { StateReader } from "./state-reader.ts";

interface FoldGroup {
  readonly rule: LedgerRule;
  readonly kind: LedgerKind;
  readonly key: AddressBytes;
  readonly tree: AddressBytes;
  readonly events: LedgerEvent[];
}

/** Folds events of transactions and tree accounts into the compression states of leaves and trees, which go into `draft`. */
export const applyTransactions = async (
  transactions: readonly Transaction[],
  accounts: readonly Account[],
  reader: StateReader,
  rules: RuleBook,
  draft: DeltaDraft,
  touched: Touched,
  report: ReportProblem,
): Promise<void> => {
  const events = readEvents(transactions, accounts, rules, report);
  if (events.length === 0) return;
  const nodes = (await keepsNodes(reader)) ? events.flatMap(nodesOf) : [];
  const groups = groupEvents([...events, ...nodes]);
  for (const kind of ledgerKinds) {
    const ofKind = groups.filter((group) => group.kind === kind);
    if (ofKind.length === 0) continue;
    const keys = ofKind.map((group) => group.key);
    // A delta has only what it changed of a block: see `withWholeBlocks`.
    const known = kind === "nodes" ? [] : await reader.readLedger(kind, keys);
    for (const [index, group] of ofKind.entries())
      foldGroup(group, known[index] ?? null, draft, touched, report);
  }
};

interface ReadEvent {
  readonly rule: LedgerRule;
  readonly event: LedgerEvent;
}

const readEvents = (
  transactions: readonly Transaction[],
  accounts: readonly Account[],
  rules: RuleBook,
  report: ReportProblem,
): ReadEvent[] =>
  rules.ledgers.flatMap((rule) =>
    [
      ...transactions.flatMap((transaction) => (transaction.failed ? [] : rule.read(transaction, report))),
      ...accounts.flatMap((account) => rule.readAccount(account)),
    ].map((event) => ({ rule, event })),
  );

/** Whether the store keeps nodes of trees, for proofs. */
const keepsNodes = async (reader: StateReader): Promise<boolean> =>
  (await reader.readLedger("nodes", [nodesStateKey]))[0] !== null;

const nodesOf = ({ rule, event }: ReadEvent): ReadEvent[] =>
  rule.nodesOf(event).map((node) => ({ rule, event: node }));

const groupEvents = (events: readonly ReadEvent[]): FoldGroup[] => {
  const groups = {
    leaf: new AddressMap<FoldGroup>(),
    tree: new AddressMap<FoldGroup>(),
    nodes: new AddressMap<FoldGroup>(),
  };
  for (const { rule, event } of events) {
    const { kind, key, tree } = event;
    const group = groups[kind].get(key);
    if (group === undefined) groups[kind].set(key, { rule, kind, key, tree, events: [event] });
    else group.events.push(event);
  }
  return ledgerKinds.flatMap((kind) => [...groups[kind].values()]);
};

const foldGroup = (
  group: FoldGroup,
  known: LedgerState | null,
  draft: DeltaDraft,
  touched: Touched,
  report: ReportProblem,
): void => {
  const { kind, key } = group;
  const folded = group.rule.fold(known, group.events, report);
  if (kind === "leaf") for (const event of group.events) lowerSlot(touched.seen, key, event.slot);
  if (folded.state === known?.state) return;
  draft.setLedger(folded);
  if (kind !== "leaf") return;
  touched.assets.add(key);
  const { rule } = group;
  for (const target of known === null ? [] : rule.collectionsOf(known))
    draft.removeLink({ role: "member", target, source: key });
  for (const target of rule.collectionsOf(folded)) draft.addLink({ role: "member", target, source: key });
};

/**
 * Versions below any write of a slot: a closing that is only inferred from an instruction gives way to every account
 * version observed in the same slot.
 */
const INFERRED_WRITE_VERSION = -1;

/** Tombstones of the accounts that these transactions close. */
export const closedAccounts = (transactions: readonly Transaction[], rules: RuleBook): Account[] =>
  transactions
    .filter((transaction) => !transaction.failed)
    .flatMap((transaction) =>
      rules.closings
        .flatMap((rule) => rule.readClosed(transaction))
        .map((address) => closedAccount(address, transaction.slot, INFERRED_WRITE_VERSION)),
    );
