import {
  type AccountFacts,
  type AccountState,
  type AccountWrite,
  deriveAccountFacts,
  isOlderVersion,
  encodeAccountRow,
  type EncodedAccount,
  holdingBit,
  lastLifeBit,
  nonCirculatingStakeBit,
  u64FromColumn,
  u64ToColumn,
} from "@lamplight/core";
import { type AccountKey, accountKeyOf, sameKeyBytes } from "../columns/account-key.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection, Row, Statement } from "../engine/connection.ts";
import type { NewestStates } from "./newest-states.ts";
import type { HeadDraft } from "./write-head.ts";
import { prepareFactsWriter } from "./write-facts.ts";
import type { HoldersWriter } from "./write-holders.ts";
import { prepareLastLifeWriter } from "./write-last-life.ts";
import { prepareTombstoneWriter } from "./write-tombstone.ts";
import type { TopAccountsWriter } from "./write-top-accounts.ts";

/** The fields of the replaced row that the writer needs. */
interface StoredRow {
  readonly table: "account" | "account_collision";
  readonly slot: number;
  readonly writeVersion: number;
  readonly flags: number;
  readonly lamports: bigint;
}

/** Writes one account. A version older than the stored one is ignored. */
export const prepareWriteAccount = (
  connection: Connection,
  programs: ProgramDictionary,
  topAccounts: TopAccountsWriter,
  holdings: boolean,
  holders: HoldersWriter,
  newest: NewestStates,
): ((write: AccountWrite, head: HeadDraft) => void) => {
  const rows = prepareRows(connection);
  const tombstones = prepareTombstoneWriter(connection, programs);
  const lastLives = prepareLastLifeWriter(connection, programs);
  const facts = prepareFactsWriter(connection, programs, holdings, holders);
  return (write, head) => {
    const { current } = write.state;
    const key = accountKeyOf(current.address);
    const before = newest.find(current.address);
    const factsBefore = before === undefined ? null : deriveAccountFacts(before.current);
    const stored =
      before === undefined || factsBefore === null ? rows.find(key) : storedAs(before, factsBefore);
    const closed = stored === null ? tombstones.find(key) : null;
    const known = stored ?? closed;
    if (known !== null && isOlderVersion(current, known)) return;
    facts.replace(current, stored?.flags ?? 0, factsBefore, write.facts, head);
    topAccounts.move(current.address, stored?.lamports ?? 0n, current.lamports, head);
    const hadLife = ((stored?.flags ?? 0) & lastLifeBit) !== 0;
    lastLives.replace(key, current.lamports === 0n ? null : write.state.lastLife, hadLife);
    if (current.lamports === 0n) {
      if (stored !== null) rows.remove(key, stored);
      tombstones.put(key, write.state);
      newest.drop(current.address);
      return;
    }
    if (closed !== null) tombstones.remove(key);
    const program = programs.idOf(current.programOwner);
    const table = rows.put(key, write, encodeAccountRow(current), program, stored);
    if (table !== "account") return;
    newest.put({ ...write.state, current: { ...current, programOwner: programs.addressOf(program) } });
  };
};

interface AccountRows {
  find(key: AccountKey): StoredRow | null;
  put(
    key: AccountKey,
    write: AccountWrite,
    encoded: EncodedAccount,
    program: bigint,
    stored: StoredRow | null,
  ): StoredRow["table"];
  remove(key: AccountKey, stored: StoredRow): void;
}

/**
 * The two tables of living accounts. Readers look in `account_collision` only if the tail in `account` differs, so a
 * prefix must be in `account` whenever it is in `account_collision`. When the row in `account` is deleted, a
 * colliding one moves there.
 */
const prepareRows = (connection: Connection): AccountRows => {
  const find = connection.prepare(
    "SELECT tail, slot, write_version, flags, lamports FROM account WHERE id = ?",
  );
  const findCollision = connection.prepare(
    "SELECT tail, slot, write_version, flags, lamports FROM account_collision WHERE id = ? AND tail = ?",
  );
  const put = {
    account: preparePut(connection, "account"),
    account_collision: preparePut(connection, "account_collision"),
  };
  const remove = connection.prepare("DELETE FROM account WHERE id = ?");
  const removeCollision = connection.prepare("DELETE FROM account_collision WHERE id = ? AND tail = ?");
  const anyCollision = connection.prepare(
    "SELECT tail FROM account_collision WHERE id = ? ORDER BY tail LIMIT 1",
  );
  const promote = connection.prepare(
    `INSERT INTO account (${columns.join(", ")}) SELECT ${columns.join(", ")} FROM account_collision WHERE id = ? AND tail = ?`,
  );
  // Whether the prefix of the last `find` is taken by another address.
  let isPrefixTaken = false;
  return {
    find: (key) => {
      const row = find.get(key.id);
      isPrefixTaken = row !== undefined && !sameKeyBytes(row[0] as Uint8Array, key.tail);
      if (!isPrefixTaken) return row === undefined ? null : storedRow("account", row);
      const collision = findCollision.get(key.id, key.tail);
      return collision === undefined ? null : storedRow("account_collision", collision);
    },
    put: (key, write, encoded, program, stored) => {
      const table = stored?.table ?? (isPrefixTaken ? "account_collision" : "account");
      putRow(put[table], key, write, encoded, program);
      return table;
    },
    remove: (key, stored) => {
      if (stored.table === "account_collision") {
        removeCollision.run(key.id, key.tail);
        return;
      }
      remove.run(key.id);
      const heir = anyCollision.get(key.id)?.[0];
      if (heir === undefined) return;
      promote.run(key.id, heir);
      removeCollision.run(key.id, heir);
    },
  };
};

const columns: readonly string[] = [
  "id",
  "tail",
  "program",
  "lamports",
  "slot",
  "write_version",
  "flags",
  "rent_epoch",
  "delegate",
  "delegate_mint",
  "data",
];

const preparePut = (connection: Connection, table: StoredRow["table"]): Statement => {
  const key = table === "account" ? ["id"] : ["id", "tail"];
  const changed = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  return connection.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${changed.join(", ")}`,
  );
};

const putRow = (
  statement: Statement,
  key: AccountKey,
  write: AccountWrite,
  encoded: EncodedAccount,
  program: bigint,
): void => {
  const { current } = write.state;
  statement.run(
    key.id,
    key.tail,
    program,
    u64ToColumn(current.lamports),
    current.slot,
    current.writeVersion,
    encoded.flags | indexBits(write.state, write.facts),
    encoded.rentEpoch,
    write.facts.delegate,
    write.facts.delegateMint,
    encoded.data,
  );
};

const indexBits = (state: AccountState, facts: AccountFacts): number =>
  (facts.holding === null ? 0 : holdingBit) |
  (facts.nonCirculatingStake === null ? 0 : nonCirculatingStakeBit) |
  (state.lastLife === null ? 0 : lastLifeBit);

/** The facts in the row of a state that is known to be in `account`. */
const storedAs = (state: AccountState, facts: AccountFacts): StoredRow => {
  const { slot, writeVersion, lamports } = state.current;
  return { table: "account", slot, writeVersion, flags: indexBits(state, facts), lamports };
};

const storedRow = (table: StoredRow["table"], row: Row): StoredRow => ({
  table,
  slot: Number(row[1]),
  writeVersion: Number(row[2]),
  flags: Number(row[3]),
  lamports: u64FromColumn(row[4] as bigint),
});
