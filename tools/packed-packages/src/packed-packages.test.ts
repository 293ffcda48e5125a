import { execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, test } from "vitest";
import { installPackedOnce } from "../test/packed-once.ts";
import {
  filesIn,
  givenNode,
  installedNames,
  installTarballs,
  isSupported,
  manifestIn,
  tarballsIn,
  unpublishable,
  versionOf,
  workspaceRanges,
} from "./install-packed.ts";

// Compiled code of an installation is of use to no later run.
delete process.env["NODE_COMPILE_CACHE"];

const run = promisify(execFile);
let folder: string;
let project: string;
let command: string;
beforeAll(async () => {
  folder = await installPackedOnce();
  project = join(folder, "project");
  command = join(project, "node_modules/@lamplight/cli/bin/lamplight.js");
});

/** Every foreign package that an installation of all packages brings. A new direct one needs a line in ARCHITECTURE.md. */
const knownNames: ReadonlySet<string> = new Set(
  `@grpc/grpc-js @grpc/proto-loader @js-sdsl/ordered-map @opentelemetry/api @opentelemetry/core
   @opentelemetry/exporter-trace-otlp-http @opentelemetry/otlp-exporter-base
   @opentelemetry/otlp-transformer @opentelemetry/resources @opentelemetry/sdk-logs
   @opentelemetry/sdk-metrics @opentelemetry/sdk-trace @opentelemetry/semantic-conventions
   @pinojs/redact @protobufjs/aspromise @protobufjs/base64 @protobufjs/codegen @protobufjs/eventemitter
   @protobufjs/fetch @protobufjs/float @protobufjs/path @protobufjs/pool @protobufjs/utf8 @scure/base
   @types/node ansi-regex ansi-styles atomic-sleep bintrees cliui color-convert color-name colorette
   dateformat emoji-regex end-of-stream escalade fast-copy fast-safe-stringify get-caller-file
   hash-wasm help-me is-fullwidth-code-point joycon lodash.camelcase long minimist on-exit-leak-free
   once pg pg-cloudflare pg-connection-string pg-copy-streams pg-int8 pg-pool pg-protocol pg-types
   pgpass pino pino-abstract-transport pino-pretty pino-std-serializers postgres-array postgres-bytea
   postgres-date postgres-interval process-warning prom-client protobufjs pump quick-format-unescaped
   real-require require-directory safe-stable-stringify secure-json-parse sonic-boom split2
   string-width strip-ansi strip-json-comments tdigest thread-stream undici-types wrap-ansi wrappy ws
   xtend y18n yargs yargs-parser`.split(/\s+/),
);

test("installs nothing that is not known", () => {
  expect(installedNames(project).filter((name) => !knownNames.has(name))).toEqual([]);
});

test("installs the testing package, with what it needs, in at most 5 MB", () => {
  const testing = join(project, "node_modules/@lamplight/testing");
  const manifest = JSON.parse(readFileSync(join(testing, "package.json"), "utf8")) as object;
  expect(manifest).not.toHaveProperty("dependencies");
  expect(bytesBelow(testing)).toBeLessThanOrEqual(5_000_000);
});

test.each([
  ["client", "", "createClient"],
  ["client", "/das", "createDasClient"],
  ["testing", "", "createTestChain"],
])("the tarball of %s installs alone, and %j can be imported", async (name, entry, exported) => {
  const own = join(folder, `${exported}-alone`);
  await installTarballs(
    own,
    tarballsIn(folder).filter((path) => path.includes(`/lamplight-${name}-`)),
  );
  const script = `import("@lamplight/${name}${entry}").then((all) => console.log(typeof all.${exported}))`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: own });
  expect(stdout).toBe("function\n");
});

test("publishes no test and nothing without a source", async () => {
  const files = await Promise.all(tarballsIn(folder).map(filesIn));
  expect(files.length).toBeGreaterThan(0);
  expect(files.every((names) => names.some((name) => /^dist\/.*index\.js$/.test(name)))).toBe(true);
  expect(files.flatMap(unpublishable)).toEqual([]);
});

test("packed manifests name versions of the registry, and where they come from", async () => {
  for (const tarball of tarballsIn(folder)) {
    const manifest = await manifestIn(tarball);
    expect(workspaceRanges(manifest), tarball).toEqual([]);
    expect(manifest, tarball).toMatchObject({
      license: "Apache-2.0",
      homepage: expect.stringMatching(/^https:/u),
      bugs: { url: expect.stringMatching(/^https:/u) },
      repository: { type: "git", directory: `packages/${manifest.name.replace("@lamplight/", "")}` },
      publishConfig: { access: "public" },
      engines: { node: expect.any(String) },
    });
  }
  const dependencies = { "@lamplight/core": "workspace:*" };
  expect(workspaceRanges({ name: "x", dependencies })).toEqual(["dependencies @lamplight/core workspace:*"]);
});

/** Entries for this repository alone: sources that are not published, and a check of a command, which has no types. */
const ownEntries = ["build", "check-node"];
/** Resolutions of CommonJS, which only the client supports. */
const ofCommonJs: ReadonlySet<string> = new Set(["node10", "node16-cjs"]);

test("publint and attw find nothing in any tarball", async () => {
  for (const path of tarballsIn(folder)) {
    const tarball = new Uint8Array(readFileSync(path));
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
    const found = await checkPackage(createPackageFromTarballData(tarball), {
      excludeEntrypoints: ownEntries,
    });
    if (found.types === false) throw new Error(`${path} has no types`);
    const isClient = path.includes("/lamplight-client-");
    const wrong = found.problems.filter(
      (one) => isClient || !("resolutionKind" in one && ofCommonJs.has(one.resolutionKind)),
    );
    expect([messages, wrong], path).toEqual([[], []]);
  }
});

test("recognizes what no one should publish", () => {
  const files = [
    "package.json",
    "bin/command.js",
    "src/reader.ts",
    "dist/reader.js",
    "dist/reader.d.ts",
    "dist/generated/validators.js",
  ];
  const refused = ["test/helper.ts", "src/reader.test.ts", "dist/testing/helper.js", "dist/gone.js.map"];
  expect(unpublishable([...files, ...refused])).toEqual(refused);
});

const bytesBelow = (path: string): number =>
  (readdirSync(path, { recursive: true }) as string[])
    .map((name) => statSync(join(path, name)))
    .reduce((bytes, entry) => bytes + (entry.isFile() ? entry.size : 0), 0);

const nodes = [...new Set([givenNode(), process.execPath])];

describe.each(nodes)("on %s", (node) => {
  test("runs the command, or refuses the Node in one sentence", async () => {
    if (await isSupported(node)) {
      const { stdout, stderr } = await run(node, [command, "--version"]);
      expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
      return;
    }
    const refusal = await run(node, [command, "--version"]).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^lamplight needs Node .*\n$/),
    });
  });

  test("runs the testing package, or says which Node it needs", async () => {
    const [major, minor] = await versionOf(node);
    const script = 'import("@lamplight/testing").then(({ createTestChain: one }) => console.log(typeof one))';
    const imported = await run(node, ["--input-type=module", "--eval", script], { cwd: project }).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
    const isNew = major > 22 || (major === 22 && minor >= 15);
    expect(imported.stdout).toBe(isNew ? "function\n" : "");
    if (!isNew)
      expect(imported.stderr).toMatch(
        /^Error: @lamplight\/testing needs Node 22\.15 or newer; this is Node \d+\.\d+\.\d+$/m,
      );
  });

  test("answers the client", async () => {
    const server = await startDemo((await isSupported(node)) ? node : process.execPath);
    try {
      writeFileSync(
        join(project, "call.js"),
        `import { createClient } from "@lamplight/client";
        const client = createClient({ url: ${JSON.stringify(server.origin)}, apiKey: "demo" });
        console.log((await client.searchAssets({ limit: 1 })).total);`,
      );
      const { stdout } = await run(node, [join(project, "call.js")]);
      expect(Number(stdout)).toBeGreaterThan(0);
      writeFileSync(
        join(project, "call.cjs"),
        `const { createClient, isAssetNotFound } = require("@lamplight/client");
        const client = createClient({ url: ${JSON.stringify(server.origin)}, apiKey: "demo" });
        const { createInProcessClient } = require("@lamplight/client/in-process");
        const { createDasClient } = require("@lamplight/client/das");
        const { createInProcessDasClient } = require("@lamplight/client/das/in-process");
        const missing = "11111111111111111111111111111112";
        client.getAsset(missing).catch((error) =>
          console.log(
            isAssetNotFound(error),
            typeof createInProcessClient,
            typeof createDasClient,
            typeof createInProcessDasClient,
          ));`,
      );
      const required = await run(node, [join(project, "call.cjs")]);
      expect(required).toEqual({ stdout: "true function function function\n", stderr: "" });
    } finally {
      await server.stop();
    }
  });
});

/** The sample chain on a free port, once it has printed where it answers. */
const startDemo = async (node: string): Promise<{ origin: string; stop: () => Promise<void> }> => {
  const child = spawn(node, [command, "demo", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = (): Promise<void> => {
    child.kill();
    return ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (origin === undefined) continue;
    child.stdout.resume();
    return { origin, stop };
  }
  throw new Error("the demo ended without an address");
};
