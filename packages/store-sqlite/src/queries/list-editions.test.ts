import { type Edition, emptyChangeSet } from "@lamplight/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Connection } from "../engine/connection.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { temporaryFile } from "../../test/temporary-file.ts";
import { prepareCountEditions, prepareListEditions } from "./list-editions.ts";

const key = (number: number): Uint8Array => new Uint8Array(32).fill(number);

/** Some prints share a number, 0 among them. */
const prints = Array.from({ length: 45 }, (_, index): Edition => ({
  address: key(200 - index),
  parent: key(1),
  mint: key(index),
  number: BigInt(index >> 2),
}));
const inOrder = prints.toSorted((a, b) =>
  a.number === b.number ? Buffer.compare(a.address, b.address) : Number(a.number - b.number),
);

const place = temporaryFile();
let connection: Connection;

beforeAll(async () => {
  const store = openSqliteStore({ file: place.file, mode: "write" });
  const other = { ...prints[0]!, address: key(250), parent: key(2) };
  await store.commit({
    ...emptyChangeSet,
    watermark: { slot: 1, blockhash: null },
    editions: [...prints, other],
  });
  await store.close();
  connection = new Connection(place.file, { readOnly: true, busyMs: 0 });
});

afterAll(() => {
  connection.close();
  place.remove();
});

test.each([1, 2, 7, 44, 45, 46, 1000])(
  "prints are counted and skipped, %i at a time",
  async (printsPerRead) => {
    const count = prepareCountEditions(connection, printsPerRead);
    expect(await Promise.all([count(key(1)), count(key(1))])).toEqual([45, 45]);
    expect(await count(key(2))).toBe(1);
    expect(await count(key(3))).toBe(0);
    const list = prepareListEditions(connection, printsPerRead);
    for (const offset of [0, 1, 6, 7, 8, 14, 43, 44, 45, 46, 100])
      expect(await list(key(1), { kind: "offset", offset }, 10)).toEqual(inOrder.slice(offset, offset + 10));
  },
);
