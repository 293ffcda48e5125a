import { type Asset, type Criterion, emptyChangeSet } from "@lamplight/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Connection } from "../engine/connection.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import { prepareListOrdinals } from "./list-ordinals.ts";

const key = (number: number): Uint8Array => new Uint8Array(32).fill(number + 1);

/** Creator 0 is named twice by every asset, creator 1 once by every third. */
const assetOf = (number: number): Asset => ({
  id: key(number),
  interface: "V1_NFT",
  ownerModel: "single",
  assetOwner: key(number % 2),
  delegate: null,
  authority: null,
  supply: BigInt(number % 2),
  supplyMint: key(number),
  royaltyModel: "creators",
  basisPoints: 500,
  creators: [
    { address: key(0), verified: true, share: 50 },
    { address: key(0), verified: false, share: 50 },
    ...(number % 3 === 0 ? [{ address: key(1), verified: true, share: 0 }] : []),
  ],
  groups: number % 3 === 1 ? [] : [{ key: "k", value: "a", verified: number % 3 === 0 }],
  compressed: false,
  compressible: false,
  frozen: false,
  burnt: false,
  mutable: true,
  name: `Asset ${number}`,
  jsonUri: "",
  tree: null,
  leafIndex: null,
  createdSlot: 1,
  updatedSlot: 1,
  document: "{}",
  extras: null,
});

const ASSETS = 31;
const place = temporaryFile();
let connection: Connection;

beforeAll(async () => {
  const store = openSqliteStore({ file: place.file, mode: "write" });
  await store.commit({
    ...emptyChangeSet,
    watermark: { slot: 1, blockhash: null },
    assets: Array.from({ length: ASSETS }, (_, number) => assetOf(number)),
  });
  await store.close();
  connection = new Connection(place.file, { readOnly: true, busyMs: 0 });
});

afterAll(() => {
  connection.close();
  place.remove();
});

describe("prepareListOrdinals", () => {
  const cases: readonly (readonly [Criterion, number])[] = [
    [{ kind: "ownerModel", ownerModel: "single" }, ASSETS],
    [{ kind: "ownerModel", ownerModel: "token" }, 0],
    [{ kind: "supply", supply: 1n }, 15],
    [{ kind: "owner", owner: key(0), ownerModel: "single", includeZero: false }, 16],
    [{ kind: "creator", creator: key(0), verified: null }, ASSETS],
    [{ kind: "creator", creator: key(1), verified: null }, 11],
    [{ kind: "creatorVerified", verified: false }, ASSETS],
    [{ kind: "royaltyTarget", target: key(0) }, ASSETS],
    [{ kind: "royaltyTarget", target: key(1) }, 0],
    [{ kind: "creator", creator: key(0), verified: false }, ASSETS],
    [{ kind: "group", key: "k", value: "a", includeUnverified: true }, 21],
    [{ kind: "group", key: "k", value: "a", includeUnverified: false }, 11],
  ];
  for (const chunkRows of [1, 4, 31, 1000])
    test.each(cases)(
      `reads all, at most so many, or tells that there are more: %o, ${chunkRows} at a time`,
      async (criterion, count) => {
        const list = prepareListOrdinals(connection, () => true, chunkRows);
        const all = (await list(criterion, Number.MAX_SAFE_INTEGER))!;
        expect(all).toHaveLength(count);
        expect([...all]).toEqual([...new Set(all)].toSorted((a, b) => a - b));
        expect(await list(criterion, count)).toEqual(all);
        expect(await list(criterion, count + 1)).toEqual(all);
        if (count > 0) expect(await list(criterion, count - 1)).toBeNull();
      },
    );
});
