import {
  type Account,
  amountHeld,
  deriveAccountFacts,
  type HolderIndex,
  holdersKey,
  type Holding,
  u64ToColumn,
} from "@lamplight/core";
import { compareBytes, mapKeyOf } from "../columns/keys.ts";
import { arrayParameter, type Element } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { bulkDelete, bulkInsert, bulkUpsert, type Columns, runBulk } from "./bulk.ts";
import { draftHead, writeHead } from "./write-head.ts";
import type { WriterSession } from "./writer-session.ts";

/** A token account as it was and as it is. */
export interface HolderChange {
  readonly before: Holding | null;
  readonly after: Holding | null;
  /** The account behind `after`. */
  readonly current: Account;
}

const holderKey: Columns = [
  ["mint", "bytea"],
  ["positive", "boolean"],
  ["token_account", "bytea"],
];
const putHolders = bulkUpsert(
  "holder",
  [...holderKey, ["amount", "bigint"]],
  ["mint", "positive", "token_account"],
  "WHERE holder.amount <> excluded.amount",
);
const deleteHolders = bulkDelete("holder", holderKey);
const addCounts = bulkInsert(
  "holder_count",
  [
    ["mint", "bytea"],
    ["positive", "bigint"],
    ["empty", "bigint"],
  ],
  `ON CONFLICT (mint) DO UPDATE SET positive = holder_count.positive + excluded.positive,
empty = holder_count.empty + excluded.empty`,
);
const deleteCounts = statement(
  "DELETE FROM holder_count WHERE mint = ANY ($1::bytea[]) AND positive = 0 AND empty = 0",
);

/** Keeps `holder` and `holder_count` equal to the facts of the living accounts. */
export const writeHolders = async (session: Session, changes: readonly HolderChange[]): Promise<void> => {
  const gone: Element[][] = [];
  const put: Element[][] = [];
  const counts = new CountChanges();
  for (const { before, after, current } of changes) {
    const isSameKey = before !== null && after !== null && isSamePlace(before, after);
    if (before !== null && !isSameKey) {
      gone.push(keyValues(before));
      counts.add(before, -1);
    }
    if (after === null) continue;
    put.push([...keyValues(after), u64ToColumn(amountHeld(current, after))]);
    if (!isSameKey) counts.add(after, 1);
  }
  const emptied = counts.fallen;
  await Promise.all([
    runBulk(session, deleteHolders, gone),
    runBulk(session, putHolders, put),
    runBulk(session, addCounts, counts.rows),
    emptied.length === 0 ? null : session.run(deleteCounts, arrayParameter("bytea", emptied)),
  ]);
};

/** Collects what a commit changes about the numbers of token accounts of each mint. */
class CountChanges {
  readonly #counts = new Map<string, { mint: Uint8Array; positive: number; empty: number }>();

  add({ mint, positive }: Holding, number: number): void {
    const key = mapKeyOf(mint);
    const count = this.#counts.get(key) ?? { mint, positive: 0, empty: 0 };
    count[positive ? "positive" : "empty"] += number;
    this.#counts.set(key, count);
  }

  get rows(): Element[][] {
    return Array.from(this.#counts.values(), ({ mint, positive, empty }) => [mint, positive, empty]);
  }

  /** Mints that have fewer than before. */
  get fallen(): Uint8Array[] {
    return [...this.#counts.values()].flatMap(({ mint, positive, empty }) =>
      positive < 0 || empty < 0 ? [mint] : [],
    );
  }
}

const isSamePlace = (one: Holding, other: Holding): boolean =>
  one.positive === other.positive && compareBytes(one.mint, other.mint) === 0;

const keyValues = ({ mint, positive, tokenAccount }: Holding): Element[] => [mint, positive, tokenAccount];

const keepHolders = statement(
  `INSERT INTO meta (key, value) VALUES ('${holdersKey}', 'on') ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
);

const clearHolders = statement("DELETE FROM holder");
const clearCounts = statement("DELETE FROM holder_count");

/** @param kept - whether the writer keeps them; `finish` sets it */
export const createHolderIndex = (writer: WriterSession, kept: { holders: boolean }): HolderIndex => {
  const write = <Result>(body: (session: Session) => Promise<Result>, revisions = 0): Promise<Result> =>
    writer.write(async (session) => {
      const head = await draftHead(session, writer.epoch);
      const result = await body(session);
      head.settingsRevision += revisions;
      await writeHead(session, head);
      return result;
    });
  return {
    get isKept() {
      return kept.holders;
    },
    begin: () =>
      write(async (session) => {
        await session.run(clearHolders);
        await session.run(clearCounts);
      }),
    add: (accounts) => {
      const changes = accounts.flatMap((current) => {
        const after = deriveAccountFacts(current).holding;
        return after === null ? [] : [{ before: null, after, current }];
      });
      return write(async (session) => {
        await writeHolders(session, changes);
        return changes.length;
      });
    },
    finish: async () => {
      await write((session) => session.run(keepHolders), 1);
      kept.holders = true;
    },
  };
};
