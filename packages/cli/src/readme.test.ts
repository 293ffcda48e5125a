// Every command of README.md, as it stands there, in a clean clone of the last commit. Addresses of other people are replaced by
// simulated ones. Programs that run until they are stopped are asked once and stopped.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@lamplight/client";
import { ChainSimulation, demoAddresses } from "@lamplight/devchain";
import { RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeChainArchives } from "../test/chain-archive.ts";
import { FollowedChain } from "../test/followed-chain.ts";
import { until } from "../test/until.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "lamplight-readme-"));
const clone = join(folder, "lamplight");
/** Turbo keeps what it builds in the main working tree, also when it runs in another one. */
const gitFolder = execFileSync("git", ["rev-parse", "--path-format=absolute", "--git-common-dir"], {
  cwd: root,
  encoding: "utf8",
}).trim();
/** The clone takes what is built already, keeps compiled code for its later commands, and asks for no advisories. */
const savings = {
  TURBO_CACHE_DIR: join(dirname(gitFolder), ".turbo/cache"),
  // Compiled code of a clone is of use to no later run.
  NODE_COMPILE_CACHE: join(folder, "compiled"),
  npm_config_audit: "false",
  npm_config_prefer_offline: "true",
};

/** A shell command in the clone, or in a folder next to it. The test says when it is stopped. */
class Running {
  /** Both outputs. */
  printed = "";
  exitCode: number | null = null;
  readonly #exit: Promise<unknown>;
  readonly #group: number;

  constructor(command: string, cwd = clone, environment: NodeJS.ProcessEnv = {}) {
    const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env;
    const own = { LAMPLIGHT_PORT: "0", NO_COLOR: "1", ...savings };
    // A process group: npx and npm start others.
    const child = spawn("sh", ["-c", command], {
      cwd,
      env: { ...env, ...own, ...environment },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#group = child.pid!;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.printed += text));
    this.#exit = once(child, "close").then(([code]) => (this.exitCode = code as number | null));
    started.push(this);
  }

  /** Waits until the output matches the pattern, and returns its first group. */
  async says(pattern: RegExp): Promise<string> {
    const isEnded = this.ended().then(() => true);
    await until(async () => pattern.test(this.printed) || (await Promise.race([isEnded, false])));
    const found = pattern.exec(this.printed);
    expect(found, this.printed).not.toBeNull();
    return found![1]!;
  }

  async ended(): Promise<number | null> {
    await this.#exit;
    return this.exitCode;
  }

  async stop(): Promise<void> {
    if (this.exitCode !== null) return;
    try {
      process.kill(-this.#group, "SIGINT");
    } catch {
      // It has ended.
    }
    await this.#exit;
  }
}

const started: Running[] = [];
const run = async (command: string, cwd?: string, environment?: NodeJS.ProcessEnv): Promise<string> => {
  const running = new Running(command, cwd, environment);
  expect([await running.ended(), running.printed]).toEqual([0, running.printed]);
  return running.printed;
};

let sample: string;
let followed: FollowedChain;
beforeAll(async () => {
  execFileSync("git", ["clone", "--quiet", root, clone]);
  const stores = ["followed", "clean"].map((name) => `sqlite:${join(folder, name)}.db`);
  followed = await FollowedChain.start({ store: stores[0]!, clean: stores[1]!, seed: 7 });
});
afterAll(async () => {
  for (const running of started) await running.stop();
  await followed.stop();
  rmSync(folder, { recursive: true, force: true });
});

const totalAt = async (api: string): Promise<number> =>
  (await createClient({ url: api, timeoutMs: 300_000 }).searchAssets({ limit: 1 })).total;

/** Starts what serves, and asks it once. */
const serves = async (command: string, environment: NodeJS.ProcessEnv = {}): Promise<[Running, string]> => {
  const running = new Running(command, clone, environment);
  const api = await running.says(/(?:API|Local)\s+(http:\S+)/u);
  expect(await totalAt(api)).toBeGreaterThan(0);
  return [running, api];
};

/** Runs next to a node of a chain that moves. A chain that moved during the other commands took seconds of processor time. */
const nextToNode = async (command: (url: string) => Promise<void>): Promise<void> => {
  const ledger = new RpcLedger(new ChainSimulation({ seed: 7, isChaotic: true }));
  ledger.settle();
  const node = new SimulatedRpc({ ledger, seed: 7 });
  const url = await node.start();
  const chain = setInterval(() => {
    node.emit(ledger.pass(1));
    ledger.finalizeAll();
  }, 50);
  try {
    await command(url);
  } finally {
    clearInterval(chain);
    await node.stop();
  }
};

/** Installs tarballs into an empty folder, and runs a module there. */
const installs = async (command: string, name: string, script: string, printed: string): Promise<void> => {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  await run(command.replace("/path/to/lamplight", clone), project);
  writeFileSync(join(project, "try.mjs"), script);
  const { NODE: _, ...env } = process.env;
  expect(execFileSync(process.execPath, ["try.mjs"], { cwd: project, env, encoding: "utf8" })).toBe(printed);
};

const blocks = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^```(\w+).*\n([\s\S]*?)^```$/gmu)];
/** The block that shows the testing package, as a module of JavaScript. */
const testingExample = blocks.find(
  ([, language, code]) => language === "ts" && code!.includes("createTestChain"),
)![2]!;

/** Each in the order of the page. */
const commands: Readonly<Record<string, (command: string) => Promise<void>>> = {
  "npm start": async (command) => {
    [, sample] = await serves(command);
    const page = await fetch(new URL("/explore/", sample));
    expect(await page.text()).toContain("Explorer");
  },
  "npx lamplight dev": async (command) => {
    const [dev, api] = await serves(command);
    await createClient({ url: api }).waitForSlot((await slotAt(api)) + 2);
    await dev.stop();
  },
  "npx lamplight dev --rpc http://127.0.0.1:8899": async (command) => {
    await nextToNode(async (url) => {
      const here = command.replace("http://127.0.0.1:8899", `http://${url} --ws ws://${url}`);
      const [dev] = await serves(here);
      await dev.stop();
    });
  },
  "npx lamplight dev --clone ADDRESS --from https://rpc.example": async (command) => {
    const here = command.replace("ADDRESS", demoAddresses.nft).replace("https://rpc.example", sample);
    const [dev, api] = await serves(here);
    expect((await createClient({ url: api }).getAsset(demoAddresses.nft)).id).toBe(demoAddresses.nft);
    await dev.stop();
  },
  "npm run pack": async (command) => expect(await run(command)).toContain("packages are in"),
  "npm install --save-dev /path/to/lamplight/tarballs/lamplight-testing-*.tgz": async (command) => {
    // Node 22 runs the example as it is, and cannot parse `await using`.
    expect(testingExample).not.toContain("await using");
    await installs(command, "testing", testingExample, "Cat #1\n");
  },
  "npm install /path/to/lamplight/tarballs/lamplight-client-*.tgz": async (command) => {
    const script = `import { createClient } from "@lamplight/client";
      console.log((await createClient({ url: ${JSON.stringify(sample)} }).searchAssets({ limit: 1 })).items.length);`;
    await installs(command, "client", script, "1\n");
  },
  "npm install /path/to/lamplight/tarballs/*.tgz": async (command) => {
    const script = `import { execFileSync } from "node:child_process";
      console.log(execFileSync("npx", ["lamplight", "--version"], { encoding: "utf8" }).split(".").length);`;
    await installs(command, "all", script, "3\n");
  },
  "npx lamplight call searchAssets interface=V1_NFT limit=2": async (command) =>
    expect(await run(command, clone, { LAMPLIGHT_URL: sample })).toContain('"limit": 2'),
  "npx lamplight wait --slot 300000100": async (command) => {
    const [dev, api] = await serves("npx lamplight dev --slot-ms 20");
    expect(await run(command, clone, { LAMPLIGHT_URL: api })).toContain("slot 300000100 can be read");
    await dev.stop();
  },
  "npx lamplight diff --against http://127.0.0.1:8899 --profile agave": async (command) =>
    expect(
      await run(command.replace("http://127.0.0.1:8899", sample), clone, { LAMPLIGHT_URL: sample }),
    ).toContain("calls"),
  "npx lamplight load snapshot FULL --store sqlite:chain.db": async (command) => {
    const { full } = writeChainArchives(folder, 200);
    await run(command.replace("FULL", full));
  },
  "npx lamplight follow yellowstone https://HOST:PORT --store sqlite:chain.db": async (command) => {
    const here = command
      .replace("https://HOST:PORT", followed.upstreamUrl)
      .replace("sqlite:chain.db", followed.store);
    const follow = new Running(here, clone, { LAMPLIGHT_YELLOWSTONE_TOKEN: "secret" });
    await until(() => followed.upstream.subscribers > 0 || follow.exitCode !== null);
    expect([follow.exitCode, follow.printed]).toEqual([null, follow.printed]);
    await follow.stop();
  },
  "LAMPLIGHT_KEYS=secret npx lamplight serve --store sqlite:chain.db": async (command) => {
    const server = new Running(command);
    const url = await server.says(/(http:\/\/127\.0\.0\.1:\d+)/u);
    expect(await totalAt(`${url}/v3/secret`)).toBeGreaterThan(0);
    await server.stop();
  },
  "npx lamplight --help": async (command) => expect(await run(command)).toContain("load accounts"),
};

const slotAt = async (api: string): Promise<number> =>
  (await createClient({ url: api }).withMeta.searchAssets({ limit: 1 })).slot!;

/** Command lines of the page: of its blocks, and in its sentences. Calls with curl are run by `tools/doc-examples`. */
const commandsOfPage = (): readonly string[] => {
  const lines = blocks
    .filter(([, language, code]) => language === "sh" && !code!.startsWith("curl"))
    .flatMap(([, , code]) => code!.split("\n").map((line) => line.replace(/\s+#.*$/u, "").trim()));
  return lines.filter((line) => line !== "");
};

test("every command of README has a case", () => {
  expect(commandsOfPage().filter((command) => commands[command] === undefined)).toEqual([]);
});

test.each(Object.entries(commands))("%s", (command, check) => check(command));
