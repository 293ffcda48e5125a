// A real Prometheus scrapes a process that follows and serves, by the files of deploy/.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";

import { alerts, queries } from "../test/deploy-metrics.ts";
import { FollowedChain, untilLogged } from "../test/followed-chain.ts";

interface ScrapeSettings {
  readonly global: object;
  readonly scrape_configs: readonly { readonly static_configs: { targets: string[] }[] }[];
}

const isInstalled = spawnSync("prometheus", ["--version"]).error === undefined;
if (!isInstalled)
  console.warn("prometheus is not installed (Debian: apt-get install prometheus); its tests are skipped");

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

describe.skipIf(!isInstalled)("Prometheus", () => {
  let folder: string;
  let chain: FollowedChain;
  let prometheus: ChildProcess;
  let api: string;

  const ask = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const answer = await fetch(`${api}/${path}?${new URLSearchParams(query).toString()}`);
    const { status, data, error } = (await answer.json()) as {
      status: string;
      data: unknown;
      error?: string;
    };
    expect([status, error], query["query"] ?? path).toEqual(["success", undefined]);
    return data;
  };

  const evaluated = async () => {
    const { groups } = (await ask("rules")) as {
      readonly groups: readonly {
        readonly rules: readonly { name: string; health: string; lastError?: string }[];
      }[];
    };
    return groups.flatMap(({ rules }) => rules);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "lamplight-prometheus-"));
    const store = `sqlite:${join(folder, "index.db")}`;
    chain = await FollowedChain.start({ store, clean: `sqlite:${join(folder, "clean.db")}`, seed: 6 });
    const running = chain.serveAndFollow("--metrics-port", "0");
    const { url } = JSON.parse(await untilLogged(running, /"msg":"metrics"/u)) as { readonly url: string };
    cpSync(fileURLToPath(new URL("../deploy/prometheus", import.meta.url)), folder, { recursive: true });
    const file = join(folder, "prometheus.yaml");
    const settings = parse(readFileSync(file, "utf8")) as ScrapeSettings;
    Object.assign(settings.global, { scrape_interval: "1s", evaluation_interval: "1s" });
    settings.scrape_configs[0]!.static_configs[0]!.targets = [new URL(url).host];
    writeFileSync(file, stringify(settings));
    const port = await freePort();
    api = `http://127.0.0.1:${port}/api/v1`;
    prometheus = spawn("prometheus", [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    await vi.waitFor(
      async () =>
        expect(await ask("query", { query: "up" })).toMatchObject({
          result: [{ value: [expect.anything(), "1"] }],
        }),
      { timeout: 300_000, interval: 200 },
    );
  });

  afterAll(async () => {
    prometheus.kill();
    await chain.stop();
    rmSync(folder, { recursive: true, maxRetries: 10 });
  });

  test("evaluates every rule", async () => {
    await expect
      .poll(async () => (await evaluated()).filter(({ health }) => health === "unknown"), {
        timeout: 300_000,
      })
      .toEqual([]);
    const rules = await evaluated();
    expect(rules.map(({ name }) => name).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
  });

  test("takes every query of the dashboard", async () => {
    for (const query of queries) {
      const written = query.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*");
      await ask("query", { query: written });
    }
  });
});
