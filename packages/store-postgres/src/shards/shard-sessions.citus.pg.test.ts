import { emptyChangeSet } from "@lamplight/core";
import { describeCitus, keepWorkersWaiting, moveShard, renameOnWorkers } from "@lamplight/postgres-test";
import { accountOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { expect, test, vi } from "vitest";
import { parsePostgresUrl } from "../engine/location.ts";
import type { Session } from "../engine/session.ts";
import { passingStatement } from "../engine/statement.ts";
import { assertNotMoved } from "./own-tables.ts";
import { ShardSession } from "./shard-session.ts";
import { ShardSessions } from "./shard-sessions.ts";
import { ShardWriter } from "./shard-writer.ts";
import type { ShardRows } from "./write-numbered.ts";

const EPOCH = 7;
const place = { storeId: "s", place: 0, shards: 1, holdings: true };

/** A delta whose number is its slot, with one account. */
const rowsOf = (number: number): ShardRows => ({
  ...emptyChangeSet,
  ...slotOf(number, [accountOf(1, { slot: number })]),
  number,
  slot: number,
  changeSeq: 0,
  nextOrdinal: 0,
  assets: [],
  removals: [],
});

/** Ports of the servers that lend a session. */
const portsOf = async (shard: string, epoch: number) => {
  const problems: string[] = [];
  const sessions = new ShardSessions(parsePostgresUrl(shard), (line) => problems.push(line));
  await sessions.follow(epoch);
  const ports = await portsIn(sessions);
  await sessions.close();
  return { ports, problems };
};

const portsIn = async (sessions: ShardSessions): Promise<readonly unknown[]> => {
  const ports: unknown[] = [];
  const note = async (rows: Promise<readonly (readonly unknown[])[]>): Promise<void> =>
    void ports.push(Number((await rows)[0]![0]));
  const sql = "SELECT current_setting('port')";
  await sessions.write(
    (session) => note(session.execute(sql)),
    (session) => note(session.execute(sql)),
  );
  await sessions.read((session) => note(session.execute(sql)));
  return ports;
};

/** Follows until the sessions are those of another server than the URL names. */
const untilUsed = (sessions: ShardSessions, named: number): Promise<void> =>
  vi.waitFor(
    async () => {
      await sessions.follow(EPOCH);
      expect(await portsIn(sessions)).not.toContain(named);
    },
    { timeout: 60_000 },
  );

/** Takes the lock of the shard first, as a writer does. */
const take = (session: Session) => session.execute("UPDATE node_slot SET number = number");
const noteIn = (session: Session) =>
  session.run(passingStatement("INSERT INTO meta VALUES ('noted', 'yes')"));
const noted = (sessions: ShardSessions) =>
  sessions.useOwn((session) => session.execute("SELECT value FROM meta WHERE key = 'noted'"));

/** Expects that a statement on `meta` goes to the own table of a node. */
const plansOwnTable = (sql: string) => async (session: Session) => {
  const [plan] = await session.execute(`EXPLAIN ${sql}`);
  expect(plan).toEqual([expect.stringMatching(/^(?:Update|Seq Scan) on meta_\d+ /u)]);
};

/** Whether a move of the shard waits for a lock on its node. */
const isAwaited = async (shard: string): Promise<boolean> => {
  const session = new ShardSession(parsePostgresUrl(shard), { role: "writer" });
  try {
    const sql = `SELECT result FROM run_command_on_workers(
$$SELECT count(*) FROM pg_locks WHERE NOT granted$$) WHERE result <> '0'`;
    return (await session.use((one) => one.execute(sql))).length > 0;
  } finally {
    await session.close();
  }
};

/** Runs `work` while four callers read, and answers how often they did. None may fail. */
const whileRead = async (writer: ShardWriter, work: () => Promise<void>): Promise<number> => {
  const ending = new AbortController();
  let answers = 0;
  const readers = [1, 2, 3, 4].map(async () => {
    while (!ending.signal.aborted) {
      expect(await writer.reader.readAccountStates([addressOf(1)])).toHaveLength(1);
      answers += 1;
    }
  });
  const worked = vi
    .waitFor(() => expect(answers).toBeGreaterThan(0), { timeout: 60_000 })
    .then(work)
    .finally(() => ending.abort());
  await Promise.all([worked, ...readers]);
  return answers;
};

describeCitus("the sessions of a shard that Citus has on another node", (newStore) => {
  const newShard = async (): Promise<string> => {
    const shard = new URL(newStore()).searchParams.get("shard")!;
    const writer = await ShardWriter.open(shard, place);
    expect(await writer.fence(EPOCH)).toBe(0);
    await writer.close();
    return shard;
  };

  test("are those of that node, where it has the rows that the writer has fenced", async () => {
    const shard = await newShard();
    const { ports, problems } = await portsOf(shard, EPOCH);
    const named = Number(new URL(shard).port);
    expect(new Set(ports).size).toBe(1);
    expect(ports).not.toContain(named);
    expect(problems).toEqual([]);
  });

  test("use the tables of that node, and not by their names in Citus", async () => {
    const shard = await newShard();
    const sessions = new ShardSessions(parsePostgresUrl(shard), () => undefined);
    await sessions.follow(EPOCH);
    await sessions.write(plansOwnTable("UPDATE meta SET value = value"), async () => undefined);
    await sessions.read(plansOwnTable("SELECT value FROM meta"));
    await sessions.close();
  });

  test("read the server of the URL until they have written: the rows may have been moved and written before", async () => {
    const shard = await newShard();
    const sessions = new ShardSessions(parsePostgresUrl(shard), () => undefined);
    await sessions.follow(EPOCH);
    await moveShard(shard);
    await sessions.writeOwn(async (session) => {
      await take(session);
      await noteIn(session);
    });
    const rows = await sessions.read((session) =>
      session.execute("SELECT value FROM meta WHERE key = 'noted'"),
    );
    expect(rows).toEqual([["yes"]]);
    await sessions.close();
  });

  test("are those of the URL otherwise, and a message says so once", async () => {
    const shard = await newShard();
    const { ports, problems } = await portsOf(shard, EPOCH + 1);
    const named = Number(new URL(shard).port);
    expect(ports).toEqual([named, named, named]);
    expect(problems).toEqual([
      expect.stringMatching(/^a shard is written through .*, because its node .* cannot be used: .*fenced/u),
    ]);
  });

  test("are tried again, and the same message is not repeated", async () => {
    const shard = await newShard();
    const named = Number(new URL(shard).port);
    const problems: string[] = [];
    const sessions = new ShardSessions(parsePostgresUrl(shard), (line) => problems.push(line), 0);
    await renameOnWorkers(shard, "node_slot", "hidden");
    for (let attempts = 0; attempts < 3; attempts += 1) await sessions.follow(EPOCH);
    expect(await portsIn(sessions)).toEqual([named, named, named]);
    await renameOnWorkers(shard, "hidden", "node_slot");
    await untilUsed(sessions, named);
    expect(problems).toHaveLength(1);
    await sessions.close();
  });

  test("are those of the URL while a node that failed is tried again and does not answer", async () => {
    const shard = await newShard();
    const named = Number(new URL(shard).port);
    const problems: string[] = [];
    const sessions = new ShardSessions(parsePostgresUrl(shard), (line) => problems.push(line), 0);
    await renameOnWorkers(shard, "node_slot", "hidden");
    await sessions.follow(EPOCH);
    await renameOnWorkers(shard, "hidden", "node_slot");
    const answerAgain = await keepWorkersWaiting(shard, "node_slot");
    try {
      for (let attempts = 0; attempts < 3; attempts += 1) {
        await sessions.follow(EPOCH);
        expect(await portsIn(sessions)).toEqual([named, named, named]);
      }
    } finally {
      await answerAgain();
    }
    await untilUsed(sessions, named);
    expect(problems).toHaveLength(1);
    await sessions.close();
  });

  test.each([
    ["when it is asked for", "node_slot"],
    ["later", "account"],
  ])("a node that cannot be used %s fails no read, and a message says so once", async (_, table) => {
    const shard = await newShard();
    const problems: string[] = [];
    const writer = await ShardWriter.open(shard, place, (line) => problems.push(line));
    if (table === "node_slot") await renameOnWorkers(shard, table, "hidden");
    const answers = await whileRead(writer, async () => {
      expect(await writer.fence(EPOCH + 1)).toBe(0);
      if (table !== "node_slot") {
        await writer.write(EPOCH + 1, rowsOf(1));
        await renameOnWorkers(shard, table, "hidden");
      }
      await vi.waitFor(() => expect(problems).toHaveLength(1), { timeout: 60_000 });
      for (const number of [1, 2]) await writer.write(EPOCH + 1, rowsOf(number));
    });
    expect(answers).toBeGreaterThan(0);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`cannot be used: .*"${table}"`, "u"))]);
    const [state] = await writer.reader.readAccountStates([addressOf(1)]);
    expect(state?.current.slot).toBe(2);
    await writer.close();
  });

  test("a move of the shard fails no read and no write, and the sessions are those of its new node", async () => {
    const shard = await newShard();
    const problems: string[] = [];
    const writer = await ShardWriter.open(shard, place, (line) => problems.push(line));
    await writer.fence(EPOCH);
    const before = await portsOf(shard, EPOCH);
    const answers = await whileRead(writer, async () => {
      await writer.write(EPOCH, rowsOf(1));
      await moveShard(shard);
      await writer.write(EPOCH, rowsOf(2));
    });
    expect(answers).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    const after = await portsOf(shard, EPOCH);
    expect(after.ports).not.toContain(before.ports[0]);
    expect(after.ports).not.toContain(Number(new URL(shard).port));
    const [state] = await writer.reader.readAccountStates([addressOf(1)]);
    expect(state?.current.slot).toBe(2);
    await writer.close();
  });

  test.each(["block_writes", "force_logical"] as const)(
    "a move (%s) waits for a transaction that has taken the shard, and none of its rows is lost",
    async (mode) => {
      const shard = await newShard();
      const sessions = new ShardSessions(parsePostgresUrl(shard), () => undefined);
      await sessions.follow(EPOCH);
      let moving = Promise.resolve();
      let isMoved = false;
      await sessions.write(
        async (session) => {
          await take(session);
          await assertNotMoved(session);
          moving = moveShard(shard, mode).finally(() => {
            isMoved = true;
          });
          await vi.waitFor(async () => expect(await isAwaited(shard)).toBe(true), { timeout: 60_000 });
          await noteIn(session);
          expect(isMoved).toBe(false);
        },
        async () => undefined,
      );
      await moving;
      expect(await noted(sessions)).toEqual([["yes"]]);
      await sessions.close();
    },
  );

  test("after a move, a transaction on the node that had the shard fails, without a message, and leaves no rows behind", async () => {
    const shard = await newShard();
    const problems: string[] = [];
    const sessions = new ShardSessions(parsePostgresUrl(shard), (line) => problems.push(line));
    await sessions.follow(EPOCH);
    await moveShard(shard);
    const write = (): Promise<void> =>
      sessions.write(
        async (session) => {
          await take(session);
          await assertNotMoved(session);
          await noteIn(session);
        },
        async () => undefined,
      );
    await expect(write()).rejects.toThrow(/moved to another node/u);
    expect(await noted(sessions)).toEqual([]);
    await sessions.follow(EPOCH);
    await write();
    expect(await noted(sessions)).toEqual([["yes"]]);
    expect(problems).toEqual([]);
    await sessions.close();
  });
});
