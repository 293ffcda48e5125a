import { describeCitus } from "@lamplight/postgres-test";
import { expect, test } from "vitest";
import { parsePostgresUrl } from "../engine/location.ts";
import { ShardSessions } from "./shard-sessions.ts";
import { ShardWriter } from "./shard-writer.ts";

const EPOCH = 7;

/** Ports of the servers that lend a session. */
const portsOf = async (shard: string, epoch: number) => {
  const problems: string[] = [];
  const sessions = new ShardSessions(parsePostgresUrl(shard), (line) => problems.push(line));
  await sessions.follow(epoch);
  const ports: unknown[] = [];
  const note = async (rows: Promise<readonly (readonly unknown[])[]>): Promise<void> =>
    void ports.push(Number((await rows)[0]![0]));
  const sql = "SELECT current_setting('port')";
  await sessions.read((session) => note(session.execute(sql)));
  await sessions.write(
    (session) => note(session.execute(sql)),
    (session) => note(session.execute(sql)),
  );
  await sessions.close();
  return { ports, problems };
};

describeCitus("the sessions of a shard that Citus has on another node", (newStore) => {
  const newShard = async (): Promise<string> => {
    const shard = new URL(newStore()).searchParams.get("shard")!;
    const writer = await ShardWriter.open(shard, { storeId: "s", place: 0, shards: 1, holdings: true });
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

  test("are those of the URL otherwise, and a message says so once", async () => {
    const shard = await newShard();
    const { ports, problems } = await portsOf(shard, EPOCH + 1);
    const named = Number(new URL(shard).port);
    expect(ports).toEqual([named, named, named]);
    expect(problems).toEqual([
      expect.stringMatching(/^a shard is written through .*, because its node .* cannot be used: .*fenced/u),
    ]);
  });
});
