import { expect, test } from "vitest";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { openSession } from "../engine/open-session.ts";
import { migrate } from "../schema/migrate.ts";
import { bulkInsert, bulkUpsert, runBulk } from "./bulk.ts";
import { linkColumns, seenColumns } from "./write-lists.ts";

const insertLinks = bulkInsert("link", linkColumns, "ON CONFLICT DO NOTHING");
const putSeen = bulkUpsert("asset_seen", seenColumns, ["id"]);
const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const seen = (slot: bigint) => [1, 2].map((byte) => [keyOf(byte), slot]);

describeWithPostgres("rows of one statement", (under) => {
  test("are the same with the text for a schema that Citus places", async () => {
    const location = parsePostgresUrl(under().newStore());
    const session = await openSession(location, { role: "writer" });
    await migrate(session, location.schema);
    session.isPlaced = true;
    const links = [1, 2, 3].map((byte) => [keyOf(byte), byte, keyOf(byte + 1)]);
    expect(await runBulk(session, insertLinks, links)).toBe(3);
    expect(await runBulk(session, insertLinks, links)).toBe(0);
    await runBulk(session, putSeen, seen(5n));
    expect(await runBulk(session, putSeen, seen(7n))).toBe(2);
    expect(await session.execute("SELECT slot::integer FROM asset_seen")).toEqual([[7], [7]]);
    await session.close();
  });
});
