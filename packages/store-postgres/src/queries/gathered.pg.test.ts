import { type IndexStore, CallRequest, answerCall, contentText, createMethodSettings } from "@lamplight/core";
import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import { accountOf, addressOf, assetOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { documentRow } from "../../test/document-row.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { Session } from "../engine/session.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { assetsStatements } from "./find-assets.ts";
import { GATHERED_BYTES_MAX } from "./gathered.ts";
import { openPostgresReader } from "../reader/open-postgres-reader.ts";
import type { PostgresReader } from "../reader/postgres-reader.ts";

const uriOf = (index: number): string => `https://example.com/${index}.json`;

const collection = {
  ...assetOf("collection"),
  document:
    '{"interface":"MplCoreCollection","authorities":[{"address":"A","scopes":["full"]}],"royalty":{"percent":0.1,"basis_points":1000},"creators":[],"mutable":true}',
};
const inherits = `{"inherits":{"from":"${encodeAddress(collection.id)}","facts":1}}`;

/** Every third one is a member of the collection; one is larger than what a round brings. */
const assets = Array.from({ length: 40 }, (_, index) => ({
  ...assetOf(index),
  jsonUri: uriOf(index),
  inherits: index % 3 === 0 ? { from: collection.id, facts: 1 } : null,
  extras: index % 3 === 0 ? inherits : null,
  document: `{"interface":"V1_NFT","id":"${index}","content":${contentText({
    jsonUri: uriOf(index),
    name: index === 7 ? "x".repeat(GATHERED_BYTES_MAX) : String(index),
    symbol: "S",
    tokenStandard: null,
  })},"authorities":[]}`,
}));

const unknown = encodeAddress(addressOf("unknown collection"));
const statementOfRound = assetsStatements.withContents.text;

describeWithPostgres("calls that run side by side", (under) => {
  let url: string;
  let store: IndexStore;
  let reader: PostgresReader;
  const accounts = Array.from({ length: 20 }, (_, index) =>
    accountOf(`account ${index}`, {
      data: new Uint8Array(index === 3 ? GATHERED_BYTES_MAX + 1 : 10).fill(7),
    }),
  );

  beforeEach(async () => {
    url = under().newStore();
    store = await openPostgresStore({ url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await store.commit(slotOf(1, accounts, { assets: [collection, ...assets] }));
    await store.offchain!.writeRows(
      assets.map(({ jsonUri }, index) =>
        documentRow(
          jsonUri,
          JSON.stringify({ description: index === 9 ? "y".repeat(GATHERED_BYTES_MAX) : "d" }),
        ),
      ),
    );
    reader = await openPostgresReader({ url });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    reader.close();
    await store.close();
  });

  const settings = createMethodSettings({ apiVersion: "1" });
  const answersTo = async (
    calls: readonly (readonly [method: string, params: unknown])[],
    isAlone: boolean,
  ): Promise<readonly string[]> => {
    const open = (): CallRequest => new CallRequest({ viewSource: reader, settings, isAlone });
    const shared = open();
    const answers = calls.map(async ([method, params]) => {
      const own = isAlone ? open() : shared;
      try {
        return String(await answerCall(method, params, own));
      } catch (error) {
        return String(error);
      } finally {
        if (isAlone) own.close();
      }
    });
    const texts = await Promise.all(answers);
    shared.close();
    return texts;
  };

  test("read as much as one, in a few statements: the same answers", async () => {
    const calls = [
      ...[...assets, ...assets.slice(0, 5)].map(({ id }) => ["getAsset", [encodeAddress(id)]] as const),
      ["getAsset", [encodeAddress(addressOf("nothing"))]] as const,
      ...accounts.map(({ address }) => ["getAccountInfo", [encodeAddress(address)]] as const),
      ["getAccountInfo", [encodeAddress(addressOf("nobody"))]] as const,
    ];
    const wanted = await answersTo(calls, true);
    expect(wanted[0]).toContain('"address":"A"');
    expect(wanted[9]).toContain("yyyy");
    const sent = vi.spyOn(Session.prototype, "all");
    expect(await answersTo(calls, false)).toEqual(wanted);
    const alone = ["a large asset", "a large document of its own", "a large account"];
    // Assets with what they share, accounts, and the number of a program. One that is alone takes three, or one.
    expect(sent.mock.calls.length).toBeLessThanOrEqual(10 + alone.length);
  });

  test("are one statement, also as members of an unknown collection and over several databases", async () => {
    const orphan = { ...assetOf("orphan"), extras: inherits.replace(/from":"[^"]+/u, `from":"${unknown}`) };
    const inherited = { from: decodeAddress(unknown), facts: 1 };
    await store.commit(slotOf(2, [], { assets: [{ ...orphan, inherits: inherited }] }));
    const asked = [...assets.filter((_, index) => ![7, 9].includes(index)), orphan];
    const calls = asked.map(({ id }) => ["getAsset", [encodeAddress(id)]] as const);
    const wanted = await answersTo(calls, true);
    expect(wanted.at(-1)).toBe(orphan.document);
    const sent = vi.spyOn(Session.prototype, "all");
    expect(await answersTo(calls, false)).toEqual(wanted);
    expect(sent.mock.calls.map(([{ text }]) => text)).toEqual([statementOfRound]);
    reader.close();
    reader = await openPostgresReader({ url, refuseMixedSlots: false });
    sent.mockClear();
    expect(await answersTo(calls, false)).toEqual(wanted);
    expect(sent.mock.calls.map(([{ text }]) => text)).not.toContain(statementOfRound);
  });

  test("fail alone: what one of them meets is not the answer of the others", async () => {
    const broken = assets[4]!;
    const calls = assets.slice(0, 8).map(({ id }) => ["getAsset", [encodeAddress(id)]] as const);
    const wanted = await answersTo(calls, true);
    const all = Session.prototype.all;
    // The statement for several fails once, as damage in one of its rows makes it fail.
    vi.spyOn(Session.prototype, "all").mockImplementation(function (this: Session, asked, ...values) {
      if (asked.text.includes(statementOfRound)) throw new Error(`damage in ${broken.name}`);
      return all.call(this, asked, ...values);
    });
    expect(await answersTo(calls, false)).toEqual(wanted);
  });

  test("all get the error of the server, which ends their transaction", async () => {
    const calls = assets.slice(0, 8).map(({ id }) => ["getAsset", [encodeAddress(id)]] as const);
    const all = Session.prototype.all;
    vi.spyOn(Session.prototype, "all").mockImplementation(function (this: Session, asked, ...values) {
      if (!asked.text.includes(statementOfRound)) return all.call(this, asked, ...values);
      return all.call(this, { name: null, text: "SELECT 1 / 0" });
    });
    const answers = await answersTo(calls, false);
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("division by zero");
  });
});
