// This bench measures the cost of what `index add das` keeps, nodes for proofs and holders of tokens, for a commit of many kinds of changes.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blockPlaceOf, type IndexStore, nodeBlockKey, type Transaction } from "@lamplight/core";
import { addressOf, BubblegumTree, countsForAccounts, generateChain, Random } from "@lamplight/devchain";
import {
  beginNodes,
  createIndexer,
  fillHolders,
  fillNodes,
  type Indexer,
  type NodesStore,
  listsTrees,
} from "@lamplight/indexer";
import { startPostgres } from "@lamplight/postgres-test";
import { openStoreForWriting } from "@lamplight/runtime";
import { type Bench, type Figure, median } from "./bench.ts";
import { Traffic } from "./follow/traffic.ts";
import { treeSeconds } from "./harness/process-seconds.ts";
import { postgresPid } from "./reads/postgres-pid.ts";

const SEED = 7;
const ACCOUNTS = 20_000;
const DEPTH = 20;
/** Leaves of the tree at the beginning. Each change writes the same rows in a full tree. */
const LEAVES = 4096;
const LEAVES_AT_ONCE = 512;
const UPDATES_PER_SLOT = 4800;
/** Changes of leaves in a slot: a hundredth of the updates. */
const CHANGES_PER_SLOT = 48;
const SLOTS = 40;
/** The first slots warm the program up. */
const WARM_UP_SLOTS = 4;

/** Each store keeps one of these. The others are compared with the first. */
const kept = ["nothing", "nodes", "nodes and holders"] as const;
type Kept = (typeof kept)[number];

export const keptNodesBench: Bench = {
  name: "kept-nodes",
  about: `slots of ${UPDATES_PER_SLOT} updates and ${CHANGES_PER_SLOT} changes of a tree of depth ${DEPTH}, with and without the DAS index`,
  async run(say): Promise<readonly Figure[]> {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-kept-nodes-"));
    const server = await startPostgres();
    try {
      const file = (name: string): string => join(folder, `${name}.db`);
      const sqlite = await measure("SQLite", say, {
        urlOf: (name) => `sqlite:${file(name)}`,
        copy: async (from, to) => copyFileSync(file(from), file(to)),
        databasePid: null,
      });
      const client = await server.connect();
      const urlOf = (name: string): string =>
        server.url.replace(/\/postgres$/u, `/${name.replaceAll(" ", "_")}`);
      await client.query("CREATE DATABASE nothing");
      const postgres = await measure("PostgreSQL", say, {
        urlOf,
        copy: async (from, to) =>
          void (await client.query(
            `CREATE DATABASE ${to.replaceAll(" ", "_")} TEMPLATE ${from.replaceAll(" ", "_")}`,
          )),
        databasePid: await postgresPid(server.url),
      });
      await client.end();
      return [...sqlite, ...postgres];
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

interface Places {
  readonly urlOf: (name: Kept) => string;
  readonly copy: (from: Kept, to: Kept) => Promise<void>;
  /** Process of the database, whose processor time counts too; null = there is none. */
  readonly databasePid: number | null;
}

const measure = async (
  engine: string,
  say: (line: string) => void,
  { urlOf, copy, databasePid }: Places,
): Promise<readonly Figure[]> => {
  say(`${engine}: filling ${ACCOUNTS} accounts and ${LEAVES} leaves`);
  const [first, ...others] = kept;
  const tree = await fill(urlOf(first));
  for (const name of others) {
    await copy(first, name);
    await addIndex(urlOf(name), name);
  }
  const stores = await Promise.all(kept.map((name) => openStoreForWriting(urlOf(name), { create: false })));
  const indexers = stores.map((store) => createIndexer(store));
  const spent = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6 + (databasePid === null ? 0 : treeSeconds([databasePid]));
  };
  const seconds: number[][] = kept.map(() => []);
  const traffic = new Traffic(SEED, ACCOUNTS, new Random(SEED, 503, 0));
  const random = new Random(SEED, 504, 0);
  say(`${engine}: ${SLOTS} slots`);
  for (let index = 0; index < SLOTS; index += 1) {
    const updates = updatesOf(tree, traffic, random);
    // Each begins in turn.
    for (let turn = 0; turn < kept.length; turn += 1) {
      const at = (index + turn) % kept.length;
      const before = spent();
      await indexers[at]!.apply(updates);
      seconds[at]!.push(spent() - before);
    }
  }
  for (const [at, store] of stores.entries()) {
    if (at > 0) await assertKeptNodes(store, tree);
    await store.close();
  }
  return figuresOf(
    engine,
    seconds.map((all) => all.slice(WARM_UP_SLOTS)),
  );
};

const figuresOf = (engine: string, [bare, ...others]: readonly (readonly number[])[]): readonly Figure[] => [
  { name: `${engine}: processor time of a slot`, value: median(bare!) * 1000, unit: "ms" },
  ...others.map((all, index) => ({
    name: `${engine}: the same with ${kept[index + 1]!}, to without`,
    value: median(all.map((one, at) => one / bare![at]!)),
    unit: "×",
    ...(index === 0 ? { budget: { atMost: 1.1 } } : {}),
  })),
];

const fill = async (url: string): Promise<BubblegumTree> => {
  const store = await openStoreForWriting(url, { create: true });
  await store.writeCoverage({ kind: "whole" });
  const indexer = createIndexer(store);
  let last = 0;
  const options = { seed: SEED, counts: countsForAccounts(ACCOUNTS), derivedAddresses: "hash-once" } as const;
  for (const { slot, blockhash, accounts } of generateChain(options)) {
    await indexer.applyAccounts(accounts, { slot, blockhash });
    last = slot;
  }
  const tree = new BubblegumTree(1, { depth: DEPTH });
  tree.slot = last;
  await apply(indexer, tree, [tree.create()]);
  for (let from = 0; from < LEAVES; from += LEAVES_AT_ONCE)
    await apply(
      indexer,
      tree,
      Array.from({ length: LEAVES_AT_ONCE }, () => tree.mintV1(addressOf(from))),
    );
  await store.close();
  return tree;
};

const apply = (
  indexer: Indexer,
  tree: BubblegumTree,
  transactions: readonly Transaction[],
): Promise<unknown> =>
  indexer.apply({
    accounts: [{ ...tree.account(), slot: tree.slot, writeVersion: tree.seq }],
    transactions,
    watermark: { slot: tree.slot, blockhash: null },
  });

/** Accounts of the traffic and of the tree, with the changes of the tree. Of four changes of leaves, one is a mint. */
const updatesOf = (tree: BubblegumTree, traffic: Traffic, random: Random) => {
  const transactions = Array.from({ length: CHANGES_PER_SLOT }, (_, at) => {
    const owner = addressOf(40_000 + random.below(1000));
    return at % 4 === 0 ? tree.mintV1(owner) : tree.transfer(random.below(LEAVES), owner);
  });
  const { slot } = tree;
  const own = { ...tree.account(), slot, writeVersion: tree.seq };
  return {
    accounts: [...traffic.next(slot, UPDATES_PER_SLOT - 1), own],
    transactions,
    watermark: { slot, blockhash: null },
  };
};

/** The lowest nodes above the newest leaf, which a slot has written. */
const assertKeptNodes = async (store: IndexStore, { address, held }: BubblegumTree): Promise<void> => {
  const key = nodeBlockKey(address, 0, blockPlaceOf(held.length - 1, 0));
  const [block] = await store.readLedger("nodes", [key]);
  if (!block) throw new Error("the store kept no nodes");
};

const nodesStoreOf = (store: IndexStore): IndexStore & NodesStore => {
  if (!listsTrees(store)) throw new Error("the store keeps no nodes");
  return store;
};

const addIndex = async (url: string, name: Kept): Promise<void> => {
  const store = nodesStoreOf(await openStoreForWriting(url, { create: false }));
  try {
    if (name === "nodes and holders") await fillHolders(store, store.holders!);
    await beginNodes(store);
    await fillNodes(store, { signal: new AbortController().signal });
  } finally {
    await store.close();
  }
};
