// The files of deploy/ are read by people and by programs that are not here: everything that they name must be there.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultLimits } from "@lamplight/server";
import { DEFAULT_PORT } from "@lamplight/server/command";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { commandLoaders } from "./registry.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = fileURLToPath(new URL("../deploy", import.meta.url));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart?: string;
  readonly init?: boolean;
  readonly stop_grace_period?: string;
}

const compose = parse(read("compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === "lamplight");
const dockerfile = read("Dockerfile")
  .replaceAll(/\\\n\s*/gu, " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const guide = read("README.md");

/** Arguments of one instruction, by its name. */
const instructions = (name: string): readonly string[] =>
  dockerfile.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/** Services that run a command, by its first word. */
const running = (word: string) => ours.filter(([, { command }]) => command?.[0] === word);

/** A command line as `lamplight` takes it: of one word or two, with flags that its help names. */
const assertCommand = async (words: readonly string[]): Promise<void> => {
  const [first = "", second = ""] = words;
  const name = Object.hasOwn(commandLoaders, `${first} ${second}`) ? `${first} ${second}` : first;
  expect(Object.keys(commandLoaders), words.join(" ")).toContain(name);
  const { usage } = await commandLoaders[name]!();
  for (const word of words.filter((one) => one.startsWith("--"))) {
    expect(usage, `${name} ${word}`).toMatch(new RegExp(`${word.split("=")[0]}\\b`, "u"));
  }
};

/** Every variable that a command's help or the health check names. */
const knownVariables = async (): Promise<ReadonlySet<string>> => {
  const commands = await Promise.all(Object.values(commandLoaders).map((load) => load()));
  const texts = [...commands.map(({ usage }) => usage), read("healthcheck.js")];
  return new Set(texts.flatMap((text) => text.match(/LAMPLIGHT_[A-Z_]+/gu) ?? []));
};

test("roles.sql allows as many sessions as whole API nodes use, and leaves some to others", () => {
  const limitOf = (role: string): number =>
    Number(new RegExp(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT (\\d+)`, "u").exec(read("roles.sql"))?.[1]);
  const perNode = Number(/(\d+) per API node/u.exec(guide)?.[1]);
  const nodes = limitOf("lamplight_api") / perNode;
  expect(guide).toContain(`\`roles.sql\` allows ${nodes} API nodes (${nodes * perNode} sessions)`);
  const most = Number(/max_connections=(\d+)/u.exec(read("compose.yaml"))?.[1]);
  // Three are kept for superusers.
  expect(limitOf("lamplight_api") + limitOf("lamplight")).toBeLessThanOrEqual(most - 3);
});

describe("compose.yaml", () => {
  test.each(ours)("%s runs a command that there is", async (_, { command }) => {
    expect(command).toBeDefined();
    await assertCommand(command!);
  });

  test("sets variables that something reads", async () => {
    const known = await knownVariables();
    for (const [name, { environment = {} }] of ours) {
      for (const variable of Object.keys(environment)) {
        // Read by the driver.
        if (variable === "PGPASSWORD") continue;
        expect(known, name).toContain(variable);
      }
    }
  });

  test("has no password in a command line or a store's URL", () => {
    for (const [, { command = [], environment = {} }] of ours) {
      const texts = [...command, environment["LAMPLIGHT_STORE"] ?? ""];
      for (const text of texts) expect(text).not.toMatch(/PASSWORD|\/\/[^@/]*:[^@/]*@/u);
    }
  });

  test("publishes and asks the ports that are listened to", () => {
    const served = instructions("EXPOSE")[0];
    expect(served).toBe(String(DEFAULT_PORT));
    for (const [name, { command = [], ports = [], environment = {} }] of ours) {
      for (const port of ports) expect([name, port.split(":").at(-1)]).toEqual([name, served]);
      const health = environment["LAMPLIGHT_HEALTH_URL"];
      if (health === undefined) continue;
      expect(new URL(health).port).toBe(command[command.indexOf("--metrics-port") + 1]);
      expect(["/livez", "/readyz"]).toContain(new URL(health).pathname);
    }
    const published = ours.flatMap(([, { ports = [] }]) => ports.map((port) => port.split(":")[0]));
    expect(new Set(published).size).toBe(published.length);
  });

  test("has metrics where prometheus.yaml looks for them, within its network only", () => {
    const metricsPorts = ours.flatMap(([name, { command = [], environment = {}, ports = [] }]) => {
      const port =
        environment["LAMPLIGHT_METRICS_PORT"]?.toString() ?? command[command.indexOf("--metrics-port") + 1];
      const host = environment["LAMPLIGHT_METRICS_HOST"] ?? command[command.indexOf("--metrics-host") + 1];
      expect(ports.map((published) => published.split(":").at(-1))).not.toContain(port);
      return host === "0.0.0.0" ? [`${name}:${port}`] : [];
    });
    const { scrape_configs: jobs } = parse(read("prometheus/prometheus.yaml")) as {
      readonly scrape_configs: readonly { readonly static_configs: readonly { targets: string[] }[] }[];
    };
    expect(jobs.flatMap((job) => job.static_configs.flatMap(({ targets }) => targets)).toSorted()).toEqual(
      metricsPorts.toSorted(),
    );
    expect(metricsPorts).toHaveLength(4);
  });

  test("gives Grafana the dashboard, and the Prometheus of its network", () => {
    const { volumes = [] } = compose.services["grafana"]!;
    for (const volume of volumes.filter((one) => one.startsWith("./")))
      expect(existsSync(join(folder, volume.split(":")[0]!)), volume).toBe(true);
    const { datasources } = parse(read("grafana/provisioning/datasource.yaml")) as {
      readonly datasources: readonly { readonly url: string; readonly type: string }[];
    };
    expect(Object.keys(compose.services)).toContain(new URL(datasources[0]!.url).hostname);
    const { providers } = parse(read("grafana/provisioning/dashboards.yaml")) as {
      readonly providers: readonly { readonly options: { readonly path: string } }[];
    };
    expect(volumes).toContain(`./grafana/lamplight.json:${providers[0]!.options.path}/lamplight.json:ro`);
  });

  test("has two API nodes, an ingester and one that stands by, behind one migration", () => {
    expect(running("serve")).toHaveLength(2);
    expect(running("follow")).toHaveLength(2);
    for (const [, { command }] of running("follow")) expect(command).toContain("--standby");
    for (const [, { depends_on: after }] of [...running("serve"), ...running("follow")])
      expect(after).toEqual({ migrate: { condition: "service_completed_successfully" } });
    expect(compose.services["migrate"]).toMatchObject({
      command: ["migrate", "--create"],
      restart: "no",
      depends_on: { postgres: { condition: "service_healthy" } },
    });
  });

  test("waits for and mounts only what there is", () => {
    for (const [name, { depends_on: after = {}, volumes = [] }] of services) {
      for (const [other, { condition }] of Object.entries(after)) {
        expect(Object.keys(compose.services), name).toContain(other);
        if (condition === "service_healthy") expect(compose.services[other]?.healthcheck?.test).toBeDefined();
      }
      for (const volume of volumes) {
        const source = volume.slice(0, volume.lastIndexOf(":/"));
        if (/^\w+$/u.test(source)) expect(Object.keys(compose.volumes)).toContain(source);
      }
    }
  });

  test("lets our processes end well", () => {
    for (const [, service] of ours) {
      // A program without a signal handler would ignore the second signal as process 1.
      expect(service.init).toBe(true);
      expect(Number.parseInt(service.stop_grace_period!, 10) * 1000).toBeGreaterThan(defaultLimits.drainMs);
      expect(existsSync(join(folder, service.build!.context, service.build!.dockerfile))).toBe(true);
      expect(existsSync(join(folder, service.build!.context, "pnpm-workspace.yaml"))).toBe(true);
    }
  });
});

describe("Dockerfile", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly packageManager: string;
    readonly devDependencies: Readonly<Record<string, string>>;
  };

  test("builds and runs on the Node of the repository, with its package manager", () => {
    const major = manifest.devDependencies["node"]!.split(".")[0];
    const bases = instructions("FROM");
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(new RegExp(`^node:${major}-`, "u"));
    expect(instructions("RUN")[0]).toContain(
      `npx --yes ${manifest.packageManager} install --frozen-lockfile`,
    );
    for (const tool of ["turbo", "pnpm"]) {
      expect(Object.keys(manifest.devDependencies)).toContain(tool);
      expect(instructions("RUN").join("\n")).toContain(`node_modules/.bin/${tool} `);
    }
  });

  test("does not run as root, and stops as the programs expect", () => {
    const last = dockerfile.findLastIndex((line) => line.startsWith("FROM "));
    const user = dockerfile.findIndex((line, index) => index > last && line.startsWith("USER "));
    expect(dockerfile[user]).toBe("USER node");
    expect(dockerfile.slice(user).some((line) => /^(?:RUN|COPY|ADD) /u.test(line))).toBe(false);
    expect(instructions("STOPSIGNAL")).toEqual(["SIGTERM"]);
  });

  test("sends no passwords to the builder", () => {
    const ignored = read("Dockerfile.dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["**/.env", "**/.env.*"]));
  });

  test("names files that there are", () => {
    const sources = instructions("COPY")
      .filter((copy) => !copy.startsWith("--from="))
      .map((copy) => copy.split(" ")[0]!);
    for (const source of sources) expect(existsSync(join(root, source))).toBe(true);
    expect(instructions("ENTRYPOINT")).toEqual(['["node", "/app/bin/lamplight.js"]']);
    expect(existsSync(join(folder, "../bin/lamplight.js"))).toBe(true);
    expect(instructions("HEALTHCHECK")[0]).toContain('CMD ["node", "/app/deploy/healthcheck.js"]');
    expect(existsSync(join(folder, "Dockerfile.dockerignore"))).toBe(true);
  });

  test("starts a command that there is, with variables that something reads", async () => {
    await assertCommand(JSON.parse(instructions("CMD")[0]!) as string[]);
    const known = await knownVariables();
    const set = instructions("ENV").flatMap((line) => line.match(/LAMPLIGHT_[A-Z_]+/gu) ?? []);
    expect(set).toContain("LAMPLIGHT_HOST");
    for (const variable of set) expect(known).toContain(variable);
  });
});

describe("README.md", () => {
  const commands = [...guide.matchAll(/(?:^|`)lamplight ([^`\n]+)/gmu)].map(([, line]) => line!);

  test("there are some", () => expect(commands.length).toBeGreaterThan(5));

  test.each(commands)("lamplight %s", (line) => assertCommand(line.split(" ")));

  test("names variables that something reads, and services that there are", async () => {
    const known = await knownVariables();
    for (const variable of guide.match(/LAMPLIGHT_[A-Z_]+/gu) ?? []) expect(known).toContain(variable);
    for (const [, service] of guide.matchAll(/docker compose run --rm (\S+)/gu))
      expect(Object.keys(compose.services)).toContain(service);
    for (const [, file] of guide.matchAll(/\]\((\w[\w.]*)\)/gu))
      expect(existsSync(join(folder, file!))).toBe(true);
  });
});
