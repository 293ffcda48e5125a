import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pages.ts";

const packages = join(root, "packages");

const servedViews: readonly string[] = [
  'import type { ViewSource } from "../../../packages/core/src/index.ts";',
  'import { startServer } from "../../../packages/server/src/index.ts";',
  "declare const viewSource: ViewSource;",
];

/** Code that examples of a file take from elsewhere, without saying so. */
const givens: { readonly [file: string]: readonly string[] } = {
  "client/src/types/account-data.ts": ["declare const data: ParsedAccountData;"],
  "client/src/in-process.ts": [
    'import { openSqliteReader } from "../../../packages/store-sqlite/src/index.ts";',
  ],
  "client/src/http/fetch-or-throw.ts": [
    'import { dasApi } from "@metaplex-foundation/digital-asset-standard-api";',
    'import { createUmi } from "@metaplex-foundation/umi-bundle-defaults";',
  ],
  "client/src/call/normalize-content.ts": [
    'import type { Client } from "../../../packages/client/src/index.ts";',
    "declare const client: Client, id: string;",
  ],
  "client/src/errors/rpc-error.ts": [
    'import type { Client } from "../../../packages/client/src/index.ts";',
    "declare const client: Client, id: string;",
  ],
  "client/src/client.ts": ["declare const client: Client, id: string, mint: string;"],
  "client/src/das/create-das-client.ts": ["declare const owner: string;"],
  "client/src/das/in-process.ts": [
    'import { openSqliteReader } from "../../../packages/store-sqlite/src/index.ts";',
  ],
  "client/src/create-client.ts": ["declare const id: string, owner: string;"],
  "core/src/driver/call-method.ts": [
    "import { CallRequest, createMethodSettings, type ViewSource } from " +
      '"../../../packages/core/src/index.ts";',
    "declare const viewSource: ViewSource, id: string;",
  ],
  "core/src/json/object-writer.ts": [
    'import type { Context } from "../../../packages/contract/src/index.ts";',
  ],
  "devchain/src/generate-chain.ts": [
    'import { countsForAccounts } from "../../../packages/devchain/src/index.ts";',
    "declare const load: (accounts: unknown) => void;",
  ],
  "indexer/src/overlay/memory-chain.ts": ["declare const accounts: [];"],
  "indexer/src/indexer.ts": [
    'import type { Account, IndexStore } from "../../../packages/core/src/index.ts";',
    "declare const store: IndexStore, mint: Account, metadata: Account, tokenAccount: Account;",
  ],
  "server/src/log/log.ts": servedViews,
  "server/src/metrics/call-metrics.ts": [
    ...servedViews,
    'import type { CallReport } from "../../../packages/server/src/index.ts";',
  ],
  "server/src/metrics/search-metrics.ts": [
    ...servedViews,
    'import type { SearchLife } from "../../../packages/search/src/index.ts";',
    "declare const search: SearchLife;",
  ],
  "server/src/metrics/server-metrics.ts": servedViews,
  "server/src/start-server.ts": [
    'import type { ViewSource } from "../../../packages/core/src/index.ts";',
    "declare const viewSource: ViewSource, headers: Headers, body: string;",
  ],
  "sources/src/transactions/read-transaction-files.ts": ["declare const apply: (given: unknown) => void;"],
  "sources/src/dumps/read-account-dumps.ts": ["declare const apply: (given: unknown) => void;"],
  "testing/src/chain-snapshot.ts": [
    'import type { TestChain } from "../../../packages/testing/src/index.ts";',
    "declare const chain: TestChain;",
  ],
  "testing/src/faults.ts": [
    'import type { TestChain } from "../../../packages/testing/src/index.ts";',
    "declare const chain: TestChain;",
  ],
  "testing/src/test-chain.ts": [
    'import type { LiteSVM } from "litesvm";',
    "declare const chain: TestChain, mint: string, svm: LiteSVM;",
    'declare const transaction: Parameters<LiteSVM["sendTransaction"]>[0];',
  ],
  "store-sqlite/src/reader/open-sqlite-reader.ts": [
    'import { reads } from "../../../packages/core/src/index.ts";',
    "declare const address: Uint8Array;",
  ],
};

/** Examples of a source, as the docblock has them. */
const examplesOf = (text: string): readonly string[] =>
  [...text.matchAll(/^ *\* ```ts\n(?<code>[\s\S]*?)^ *\* ```$/gmu)].map(({ groups }) =>
    groups!["code"]!.replaceAll(/^ *\* ?/gmu, ""),
  );

/** The example as a module next to this test: it sees what its file exports, and `givens`. */
const moduleOf = (file: string, text: string, code: string): string => {
  const exported = [
    ...text.matchAll(/^export (?:async )?(?:const|class|function\*?|interface|type) (\w+)/gmu),
  ]
    .map(([, name]) => name!)
    .filter((name) => new RegExp(`\\b${name}\\b`, "u").test(code + (givens[file] ?? []).join("")));
  return [
    `import { ${exported.join(", ")} } from "../../../packages/${file}";`,
    ...(givens[file] ?? []),
    "export const example = async (): Promise<void> => {",
    code,
    "};",
  ].join("\n");
};

/** The examples in docblocks of all packages, as modules of a folder of this package. */
export const docblockModules = (): readonly string[] =>
  globSync("*/src/**/*.ts", { cwd: packages, exclude: (path) => path.endsWith(".test.ts") })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(packages, file), "utf8");
      return examplesOf(text).map((code) => moduleOf(file, text, code));
    });
