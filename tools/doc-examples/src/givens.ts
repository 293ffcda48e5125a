import type { Block } from "./pages.ts";

/** Code that a block takes from elsewhere, without saying so. */
export interface Given {
  /** Code in front of the block, which its reader has. */
  readonly before?: string;
  /** Code behind it, which ends what it opened. */
  readonly after?: string;
  /** The reason why the block is compiled, and not run. */
  readonly onlyCompiled?: string;
}

const viewSource = `
import { openSqliteReader } from "@lamplight/store-sqlite";
const viewSource = openSqliteReader({ file: "chain.db" });
`;

/** By a part of the block's code, within a page. */
const givens: { readonly [page: string]: readonly (readonly [part: string, given: Given])[] } = {
  "packages/client/README.md": [["createInProcessClient", { before: viewSource }]],
  "packages/docs/README.md": [["docsDirectory", { before: viewSource, after: "await server.stop();" }]],
  "packages/devchain/README.md": [
    [
      "generateChain",
      {
        before: `import type { Indexer } from "@lamplight/indexer";
declare const indexer: Indexer;
declare const load: (batch: unknown) => void;`,
        onlyCompiled: "it generates two million accounts",
      },
    ],
  ],
  "packages/indexer/README.md": [
    [
      "verifyRows",
      {
        before: `import { openSqliteStore } from "@lamplight/store-sqlite";
import { demoChain } from "@lamplight/devchain";
const file = "indexed.db";
const store = openSqliteStore({ file, mode: "write" });
await store.writeCoverage({ kind: "whole" });
const [{ slot, blockhash, accounts }] = demoChain() as never as [Batch];
type Batch = ReturnType<typeof demoChain> extends Iterable<infer One> ? One : never;
const transactions = [] as const;
const count = (): void => undefined;`,
        after: "await store.close();",
      },
    ],
    [
      "ForkOverlay",
      {
        before: `import type { ChainEvent } from "@lamplight/core";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
const store = openSqliteStore({ file: "chain.db", mode: "write" });
const reader = openSqliteReader({ file: "chain.db" });
declare const source: { events(): AsyncIterable<ChainEvent> };`,
        onlyCompiled: "it follows a chain",
      },
    ],
  ],
  "packages/offchain/README.md": [
    [
      "OffchainWorker",
      {
        before: `type Options = ConstructorParameters<typeof OffchainWorker>[0];
declare const store: Options["store"], index: Options["index"], signal: AbortSignal;`,
        onlyCompiled: "it fetches from the network",
      },
    ],
  ],
  "packages/runtime/README.md": [
    [
      "followChain",
      {
        before: `declare const upstream: Parameters<typeof followChain>[1];
declare const say: Parameters<typeof followChain>[2]["say"];`,
        onlyCompiled: "it follows a chain",
      },
    ],
  ],
  "packages/search/README.md": [
    [
      "startSearchLife",
      {
        before: `import type { AssetQuery } from "@lamplight/core";
${viewSource}
declare const query: AssetQuery;`,
        onlyCompiled: "its query is its reader's",
      },
    ],
  ],
  "packages/sources/README.md": [
    [
      "readAccountDumps",
      {
        before: `import type { Indexer } from "@lamplight/indexer";
declare const indexer: Indexer;`,
        onlyCompiled: "it reads the files of its reader",
      },
    ],
    [
      "RpcSource",
      {
        before: `import type { ChainFollower } from "@lamplight/indexer";
type Options = ConstructorParameters<typeof RpcSource>[0];
declare const follower: ChainFollower;
declare const targets: Options["targets"], base: Options["base"], signal: AbortSignal;`,
        onlyCompiled: "it follows a node",
      },
    ],
  ],
  "packages/store-postgres/README.md": [
    [
      "openPostgresStore",
      {
        before: `declare const changes: Parameters<Awaited<ReturnType<typeof openPostgresStore>>["commit"]>[0];
declare const address: Uint8Array;`,
        onlyCompiled: "it needs a database",
      },
    ],
  ],
  "packages/store-sqlite/README.md": [
    [
      "openSqliteStore",
      {
        before: `declare const changes: Parameters<ReturnType<typeof openSqliteStore>["commit"]>[0];
declare const address: Uint8Array;`,
        onlyCompiled: "it commits what its reader has derived",
      },
    ],
  ],
  "packages/testing/README.md": [
    ["@lamplight/testing/vitest", { onlyCompiled: "Vitest runs it: packages/testing/src/recipes.test.ts" }],
    [
      "new LiteSVM",
      {
        before: `import { createTestChain } from "@lamplight/testing";
const chain = await createTestChain();
const ownerAddress = chain.wallet("alice").address;
declare const transaction: Parameters<LiteSVM["sendTransaction"]>[0];`,
        onlyCompiled: "packages/testing/src/svm/attach-svm.test.ts runs it",
      },
    ],
  ],
};

export const givenTo = ({ at, code }: Block): Given =>
  givens[at.split(":")[0]!]?.find(([part]) => code.includes(part))?.[1] ?? {};

/** Parts of blocks that no page has any more. */
export const unusedGivens = (blocks: readonly Block[]): readonly string[] =>
  Object.entries(givens).flatMap(([page, parts]) =>
    parts
      .filter(([part]) => !blocks.some(({ at, code }) => at.startsWith(`${page}:`) && code.includes(part)))
      .map(([part]) => `${page}: ${part}`),
  );
