import { writeNodesState } from "@lamplight/core";
import { expect, test } from "vitest";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import { migrate, migrations } from "./migrate.ts";

describeWithPostgres("a schema update", (under) => {
  test("removes nodes of trees as an older version kept them", async () => {
    for (const isKept of [true, false]) {
      const url = under().newStore();
      const { schema } = parsePostgresUrl(url);
      const session = await Session.open(parsePostgresUrl(url), { role: "writer" });
      await migrate(session, schema, migrations.slice(0, 10));
      const zeros = "decode(repeat('00', 32), 'hex')";
      if (isKept) await session.execute(`INSERT INTO ledger VALUES (2, ${zeros}, ${zeros}, '{}')`);
      await session.execute(`INSERT INTO ledger VALUES (0, ${zeros}, ${zeros}, 'x'), (1, ${zeros}, ${zeros}, 'x'),
        (2, 'some node', ${zeros}, 'x')`);
      await migrate(session, schema);
      const left = await session.execute("SELECT state FROM ledger ORDER BY kind");
      const unfilled = writeNodesState({ after: null, isFilled: false });
      expect(left.map(([state]) => state)).toEqual(["x", "x", isKept ? unfilled : "x"]);
      await session.close();
    }
  });
});
