import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { announceTests } from "./tools/announce-tests.ts";
import { compiledFolder } from "./tools/compiled-folder.ts";
import { LongestFirst } from "./tools/longest-first.ts";
import { memoryFolder } from "./tools/memory-folder.ts";

const everyTest = ["examples/*/test/**/*.test.ts", "packages/*/src/**/*.test.ts", "tools/*/src/**/*.test.ts"];
const postgresTests = ["**/*.pg.test.ts"];
const chaosTests = ["**/*.chaos.test.ts"];
/** No socket and no process. */
const unitTests = [
  "packages/{codecs,contract,core,errors}/src/**/*.test.ts",
  "packages/search/src/{*,!(life)/**/*}.test.ts",
  "packages/client/src/{call,http,json}/**/*.test.ts",
];
/** One counts what its process holds, one changes the environment, and one stops processes for minutes. */
const aloneTests = [
  "tools/packed-packages/src/afternoon.test.ts",
  "packages/server/src/http/stopped-server.test.ts",
  "tools/packed-packages/src/packed-packages.test.ts",
];
/** These use files and sockets, and few processes. */
const sharedTests = [
  "packages/{das,devchain,docs,indexer,offchain,runtime,sources,store-postgres,store-sqlite}/src/**/*.test.ts",
  "packages/server/src/**/*.test.ts",
  "packages/{client,search}/src/**/*.test.ts",
  "tools/{check,house-rules}/src/**/*.test.ts",
  "tools/codegen/src/{drift,lint}/**/*.test.ts",
  "tools/conformance/src/{account-rules,compare}/**/*.test.ts",
];

/** For parts that start the command of `packages/cli`. */
const startsCommands = { globalSetup: "packages/cli/test/bundle-command.ts" };

/** A part of the tests: what it includes, without what another part runs. */
const project = (name: string, include: string[], exclude: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, exclude: ["**/node_modules/**", ...exclude], ...more },
});

export default defineConfig({
  // Packages are read from their sources, so that an edit and a test have no build between them.
  resolve: { conditions: ["@lamplight/source"] },
  ssr: { resolve: { conditions: ["@lamplight/source"], externalConditions: ["@lamplight/source"] } },
  test: {
    // Far above what a test needs: they only end tests that hang, also on a machine with many times the load.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 300_000, interval: 20 } },
    pool: "forks",
    // A process of its own costs each file a second of imports. So files leave nothing in the one that they share.
    isolate: false,
    // More than cores: many files wait most of the time, for slots, polls and other processes.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Not in the home folder of anyone who runs them.
    env: {
      LAMPLIGHT_SEARCH_CACHE: join(tmpdir(), "lamplight-test-search"),
      // Commands that tests start: a third of the processor time until they run.
      NODE_COMPILE_CACHE: compiledFolder(),
      LAMPLIGHT_TEST_DATABASES: process.env["LAMPLIGHT_TEST_DATABASES"] ?? memoryFolder() ?? tmpdir(),
    },
    setupFiles: ["tools/steady-wasm.ts", "tools/property-seed.ts", "tools/quick-equality.ts"].map((file) =>
      fileURLToPath(new URL(file, import.meta.url)),
    ),
    reporters: ["default", announceTests],
    execArgv: ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"],
    projects: [
      project("unit", unitTests, [...postgresTests, ...chaosTests], { pool: "threads" }),
      project("shared", sharedTests, [...unitTests, ...aloneTests, ...postgresTests, ...chaosTests]),
      project(
        "postgres",
        everyTest.map((glob) => glob.replace("*.test.ts", "*.pg.test.ts")),
        chaosTests,
        startsCommands,
      ),
      project(
        "process",
        everyTest,
        [...unitTests, ...sharedTests, ...aloneTests, ...postgresTests, ...chaosTests],
        startsCommands,
      ),
      project("alone", aloneTests, [], {
        isolate: true,
        globalSetup: "tools/packed-packages/test/packed-once.ts",
      }),
      project(
        "chaos",
        everyTest.map((glob) => glob.replace("*.test.ts", "*.chaos.test.ts")),
        [],
        startsCommands,
      ),
    ],
  },
});
