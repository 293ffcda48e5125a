import { type Account, type ChangeSet, type IndexStore } from "@lamplight/core";
import { accountOf, stakeAccountOf, tokenAccountOf, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressBeside, addressOf } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { slotOf } from "../store-under-test.ts";

/** More rows than a page of an export has. */
export const MANY = 2100;
export const ASSETS = 600;

const rentPaying = { rentEpoch: 7n, writeVersion: 2 ** 53 - 1, executable: true };

const accounts = (): readonly Account[] => [
  accountOf("plain"),
  accountOf("beside", { address: addressBeside(addressOf("plain"), "beside") }),
  accountOf("rent", { ...rentPaying, lamports: 2n ** 64n - 1n, data: Uint8Array.from([0, 0, 0, 1, 2, 0]) }),
  ...[0x00, 0x7f, 0x80, 0xff].map((byte) =>
    accountOf(`edge ${byte}`, { address: new Uint8Array(32).fill(byte) }),
  ),
  tokenAccountOf("token", {
    mint: addressOf("mint"),
    tokenOwner: addressOf("wallet"),
    delegate: addressOf("delegate"),
    amount: 5n,
  }),
  tokenAccountOf("empty token", { mint: addressOf("mint"), tokenOwner: addressOf("wallet") }),
  stakeAccountOf("stake", { lockupEpoch: 2n ** 64n - 1n }, { lamports: 10n ** 15n }),
  ...Array.from({ length: MANY }, (_, index) => accountOf(index, { lamports: BigInt(index + 1) })),
];

export const life = (name: string): Account => accountOf(name, { slot: 1, data: new Uint8Array(50).fill(3) });

/** Rows of every table over several slots. Assets are replaced and removed in between. */
const story = (): readonly ChangeSet[] => [
  slotOf(1, {
    accounts: accounts().map((account) => writeOf(account)),
    linksAdded: Array.from({ length: MANY }, (_, index) => ({
      role: (["metadata", "holder", "member"] as const)[index % 3] as "metadata",
      target: addressOf(`target ${index % 50}`),
      source: addressOf(`source ${index}`),
    })),
    assets: Array.from({ length: ASSETS }, (_, index) =>
      assetOf(index, {
        supply: index === 0 ? 2n ** 64n - 1n : 1n,
        creators: [
          { address: addressOf("b"), verified: false, share: 40 },
          { address: addressOf("a"), verified: true, share: 60 },
        ],
        groups: index % 2 === 0 ? [{ key: "collection", value: "A", verified: true }] : [],
        extras: index % 3 === 0 ? '{"token_info":{"supply":1}}' : null,
        tree: index % 5 === 0 ? addressOf("tree") : null,
        leafIndex: index % 5 === 0 ? index : null,
        compressed: index % 5 === 0,
        assetOwner: index % 7 === 0 ? null : addressOf(`owner ${index % 4}`),
      }),
    ),
    assetsSeen: Array.from({ length: MANY }, (_, index) => ({ id: addressOf(`seen ${index}`), slot: index })),
    editions: Array.from({ length: 20 }, (_, index) => ({
      address: addressOf(`print ${index}`),
      parent: addressOf("parent"),
      mint: addressOf(`print mint ${index}`),
      number: index === 0 ? 2n ** 64n - 1n : BigInt(index),
    })),
    ledger: [
      { kind: "leaf", key: addressOf("leaf"), tree: addressOf("tree"), state: '{"seq":[3,"x\\u0000"]}' },
      {
        kind: "tree",
        key: addressOf("tree"),
        tree: addressOf("tree"),
        state: '{"ranges":[[1,2],[4,9]],"accountSeq":12}',
      },
      {
        kind: "tree",
        key: addressOf("whole tree"),
        tree: addressOf("whole tree"),
        state: '{"ranges":[[1,2]],"accountSeq":2}',
      },
    ],
  }),
  slotOf(2, {
    accounts: [
      writeOf(tombstoneOf("closed", 2)),
      writeOf(tombstoneOf("burnt", 2, { rentEpoch: 3n }), life("burnt")),
      writeOf(accountOf("husk", { slot: 2 }), life("husk")),
      writeOf(
        accountOf("husk beside", { address: addressBeside(addressOf("husk"), "husk beside"), slot: 2 }),
        life("husk"),
      ),
    ].map((write) => ({
      ...write,
      state: {
        ...write.state,
        lastLife:
          write.state.lastLife === null
            ? null
            : { ...write.state.lastLife, address: write.state.current.address },
      },
    })),
    assetsRemoved: [assetOf(3).id, assetOf(ASSETS - 1).id],
    assets: [assetOf(5, { name: "ÄÖ\u0000 new", updatedSlot: 2 }), assetOf("late", { jsonUri: "" })],
  }),
];

/** Writes rows of every table. */
export const fill = async (store: IndexStore): Promise<void> => {
  for (const step of story()) await store.commit(step);
  await store.writeCoverage({
    kind: "filtered",
    programs: ["p"],
    owners: [],
    mints: ["m"],
    collections: [],
  });
  await store.writeGenesisHash("genesis");
  await store.offchain?.writeRows(
    ["https://a/1", "https://a/2", ""].map((uri, index) => ({
      uri,
      status: index === 0 ? "ok" : "pending",
      json: index === 0 ? '{"n":18446744073709551615}' : null,
      sha256: index === 0 ? addressOf("sha") : null,
      etag: null,
      lastModified: "today",
      immutable: index === 0,
      firstSeenMs: 1_700_000_000_000 + index,
      fetchedMs: index === 0 ? 5 : null,
      dueMs: index === 1 ? 9 : null,
      attempts: index,
      lastError: null,
    })),
  );
  await store.offchain?.writeNotedSeq(77);
};
