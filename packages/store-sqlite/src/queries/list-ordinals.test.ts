import { programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type AccountWrite,
  type Asset,
  type Criterion,
  deriveAccountFacts,
  emptyChangeSet,
} from "@lamplight/core";
import { plainAsset } from "@lamplight/store-conformance/plain-asset";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Connection } from "../engine/connection.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { temporaryFile } from "../../test/temporary-file.ts";
import { prepareListOrdinals } from "./list-ordinals.ts";

const key = (number: number): Uint8Array => new Uint8Array(32).fill(number + 1);

/** Creator 0 is named twice by every asset, creator 1 once by every third. */
const assetOf = (number: number): Asset =>
  plainAsset(key(number), {
    assetOwner: key(number % 2),
    supply: BigInt(number % 2),
    basisPoints: 500,
    creators: [
      { address: key(0), verified: true, share: 50 },
      { address: key(0), verified: false, share: 50 },
      ...(number % 3 === 0 ? [{ address: key(1), verified: true, share: 0 }] : []),
    ],
    groups: number % 3 === 1 ? [] : [{ key: "k", value: "a", verified: number % 3 === 0 }],
    name: `Asset ${number}`,
  });

/**
 * A token of many holders. The first wallet holds each in an empty account and, but for every third, in one that is not
 * empty.
 */
const tokenOf = (number: number): Asset => ({
  ...assetOf(ASSETS + number),
  ownerModel: "token",
  assetOwner: null,
  supply: null,
  creators: [],
  groups: [],
});

const holdingOf = (number: number, isPositive: boolean): AccountWrite => {
  const data = Buffer.alloc(165);
  data.set(key(ASSETS + number), 0);
  data.set(key(0), 32);
  data[64] = Number(isPositive);
  data[108] = 1;
  const current: Account = {
    address: Uint8Array.from(data.subarray(0, 32), (byte) => byte + (isPositive ? 0 : 100)),
    programOwner: programAddresses.token,
    lamports: 1n,
    executable: false,
    rentEpoch: 0n,
    data: Uint8Array.from(data),
    slot: 1,
    writeVersion: 0,
  };
  return { state: { current, lastLife: null }, facts: deriveAccountFacts(current) };
};

const ASSETS = 31;
const TOKENS = 23;
const place = temporaryFile();
let connection: Connection;

beforeAll(async () => {
  const store = openSqliteStore({ file: place.file, mode: "write" });
  await store.commit({
    ...emptyChangeSet,
    watermark: { slot: 1, blockhash: null },
    assets: [
      ...Array.from({ length: ASSETS }, (_, number) => assetOf(number)),
      ...Array.from({ length: TOKENS }, (_, number) => tokenOf(number)),
    ],
    accounts: Array.from({ length: TOKENS }, (_, number) => [
      holdingOf(number, false),
      ...(number % 3 === 0 ? [] : [holdingOf(number, true)]),
    ]).flat(),
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
    [{ kind: "ownerModel", value: "single" }, ASSETS],
    [{ kind: "ownerModel", value: "token" }, TOKENS],
    [{ kind: "owner", owner: key(0), ownerModel: "token", includeZero: true }, TOKENS],
    [{ kind: "owner", owner: key(0), ownerModel: "token", includeZero: false }, 15],
    [{ kind: "owner", owner: key(1), ownerModel: "token", includeZero: true }, 0],
    [{ kind: "supply", value: 1n }, 15],
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
      `reads all, at most so many, or reports that there are more: %o, ${chunkRows} at a time`,
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
