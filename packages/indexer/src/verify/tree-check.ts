import type { AccountState, IndexReader, LedgerState } from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";
import { ruleBook } from "../programs/programs.ts";
import type { LedgerEvent, LedgerRule } from "../rules/rules.ts";

/** Whether the state of every tree knows what the tree's own account says, and lies under the tree's address. */
export class TreeCheck {
  readonly #store: Pick<IndexReader, "readLedger">;
  #wrong = 0;

  constructor(store: Pick<IndexReader, "readLedger">) {
    this.#store = store;
  }

  async addAccounts(states: readonly AccountState[]): Promise<void> {
    const reported = states.flatMap(({ current }) =>
      ruleBook.ledgers.flatMap((rule) => {
        const events = rule.readAccount(current);
        return events.length === 0 ? [] : [{ rule, events }];
      }),
    );
    if (reported.length === 0) return;
    const keys = reported.map(({ events }) => (events[0] as LedgerEvent).key);
    const known = await this.#store.readLedger("tree", keys);
    for (const [index, { rule, events }] of reported.entries())
      if (!isKnown(known[index] ?? null, rule, events)) this.#wrong += 1;
  }

  addLedger(states: readonly LedgerState[]): void {
    for (const { kind, key, tree } of states) if (kind === "tree" && !sameBytes(key, tree)) this.#wrong += 1;
  }

  problems(): readonly string[] {
    return this.#wrong === 0 ? [] : [`the states of ${this.#wrong} trees differ from their accounts`];
  }
}

/** Events that a state has seen change nothing of it. */
const isKnown = (state: LedgerState | null, rule: LedgerRule, events: readonly LedgerEvent[]): boolean =>
  state !== null && rule.fold(state, events, () => {}).state === state.state;
