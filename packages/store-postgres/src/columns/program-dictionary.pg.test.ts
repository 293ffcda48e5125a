import { programAddresses } from "@lamplight/codecs";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { expect, test } from "vitest";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { listAccountsByDelegate } from "../queries/list-accounts-by-delegate.ts";
import { ProgramDictionary } from "./program-dictionary.ts";

describeWithPostgres("the dictionary of programs that views share", (under) => {
  test("serves a snapshot from before a program that a newer view has found", async () => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
    const open = () => Session.open(parsePostgresUrl(url), { role: "reader", statementTimeoutMs: 0 });
    const [older, newer] = [await open(), await open()];
    await older.begin("SELECT slot FROM head");
    const programOwner = programAddresses.token;
    await store.commit(slotOf(2, [accountOf("two", { programOwner })]));

    const programs = new ProgramDictionary();
    expect(await programs.findId(older, programOwner)).toBeNull();
    expect(await programs.findId(newer, programOwner)).not.toBeNull();
    const query = { delegate: new Uint8Array(32), tokenProgram: programOwner, mint: null };
    expect(await listAccountsByDelegate(older, programs, query)).toEqual([]);
    await older.commit();
    await older.close();
    await newer.close();
    await store.close();
  });
});
