import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { defaultCosts } from "../key-store/key-costs.ts";
import { defaultLimits } from "../limits.ts";
import { type Environment, resolveSettings, type ServeFlags } from "./resolve-settings.ts";
import { defaultSettings } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-config-"));

afterAll(() => rmSync(folder, { recursive: true }));

const tracesOf = (environment: Environment) =>
  resolveSettings({ store: "sqlite:a.db", key: ["k"] }, environment).traces;

const writeConfig = (text: string): string => {
  const file = join(folder, "lamplight.config.json");
  writeFileSync(file, text);
  return file;
};

const cacheIn = (environment: Record<string, string>, file?: string): string =>
  resolveSettings({ store: "sqlite:a.db", key: ["k"], config: file }, environment).searchCache;

const methodsOf = (flags: ServeFlags, environment: Environment = {}) =>
  resolveSettings({ store: "sqlite:a.db", key: ["k"], ...flags }, environment).methods;

describe("resolveSettings", () => {
  test("falls back to the defaults", () => {
    expect(resolveSettings({ store: "sqlite:a.db", key: ["k"] }, {})).toEqual({
      ...defaultSettings,
      keyFiles: [],
      keyStore: null,
      keyCosts: defaultCosts,
      store: "sqlite:a.db",
      keys: ["k"],
      logLevel: "info",
      accessLog: { mode: "off", rate: 0.01, slowMs: 1000, address: "none" },
      traces: null,
      metricsHost: "127.0.0.1",
      workers: 1,
      searchCache: join(homedir(), ".cache", "lamplight"),
    });
  });

  test("takes the key store from the flag before the environment and the file, and needs no other key", () => {
    const environment = { LAMPLIGHT_KEY_STORE: "by-variable.json" };
    const given = { store: "sqlite:a.db" };
    expect(resolveSettings({ ...given, "key-store": "by-flag.json" }, environment)).toMatchObject({
      keyStore: "by-flag.json",
      keys: [],
    });
    expect(resolveSettings(given, environment).keyStore).toBe("by-variable.json");
    expect(() => resolveSettings(given, {})).toThrow("--key is missing");
  });

  test("takes further methods from flag, environment or file, and refuses names that it does not have", () => {
    const config = writeConfig('{"methods": ["das"]}');
    expect(methodsOf({})).toEqual([]);
    expect(methodsOf({ methods: "das" })).toEqual(["das"]);
    expect(methodsOf({}, { LAMPLIGHT_METHODS: "das" })).toEqual(["das"]);
    expect(methodsOf({ config })).toEqual(["das"]);
    expect(() => methodsOf({ methods: "dos" })).toThrow("--methods must be one of das");
    expect(() => methodsOf({}, { LAMPLIGHT_METHODS: "all" })).toThrow("LAMPLIGHT_METHODS must be one of das");
  });

  test("takes the access log from flags before the environment, and refuses what is neither a mode nor a share", () => {
    const given = { store: "sqlite:a.db", key: ["k"] };
    const resolve = (flags: ServeFlags, environment: Environment = {}) =>
      resolveSettings({ ...given, ...flags }, environment).accessLog;
    const environment = { LAMPLIGHT_ACCESS_LOG: "all", LAMPLIGHT_ACCESS_LOG_RATE: "0.5" };
    expect(resolve({}, environment)).toMatchObject({ mode: "all", rate: 0.5 });
    expect(resolve({ "access-log": "sampled", "access-log-rate": "1" }, environment)).toMatchObject({
      mode: "sampled",
      rate: 1,
    });
    expect(() => resolve({ "access-log": "some" })).toThrow("--access-log must be one of off, sampled, all");
    for (const rate of ["", "2", "-1", "1e-3", "50%", "0.5.5"])
      expect(() => resolve({ "access-log-rate": rate })).toThrow("--access-log-rate must be a share");
    expect(() => resolve({}, { LAMPLIGHT_ACCESS_LOG_RATE: "9" })).toThrow("LAMPLIGHT_ACCESS_LOG_RATE");
  });

  test("takes the address of the metrics from flags before the environment, and only with a port", () => {
    const given = { store: "sqlite:a.db", key: ["k"] };
    const environment = { LAMPLIGHT_METRICS_HOST: "0.0.0.0", LAMPLIGHT_METRICS_PORT: "9464" };
    expect(resolveSettings(given, environment)).toMatchObject({ metricsHost: "0.0.0.0", metricsPort: 9464 });
    expect(resolveSettings({ ...given, "metrics-host": "::" }, environment).metricsHost).toBe("::");
    expect(() => resolveSettings({ ...given, "metrics-host": "::" }, {})).toThrow(
      "--metrics-host needs --metrics-port",
    );
    expect(() => resolveSettings(given, { LAMPLIGHT_METRICS_HOST: "::" })).toThrow("metricsHost needs");
  });

  test("sends traces where OpenTelemetry's variables say", () => {
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
    expect(tracesOf(base)).toEqual({ url: "http://collector:4318/v1/traces", rate: 1 });
    expect(
      tracesOf({
        ...base,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/x",
        OTEL_TRACES_SAMPLER_ARG: "0.1",
      }),
    ).toEqual({ url: "https://t/x", rate: 0.1 });
    expect(() => tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector" })).toThrow(
      "must be an http:// or https:// URL",
    );
    expect(() => tracesOf({ ...base, OTEL_TRACES_SAMPLER_ARG: "all" })).toThrow("OTEL_TRACES_SAMPLER_ARG");
  });

  test("keeps search indexes in the configured folder, else in the cache folder of the user", () => {
    const config = writeConfig(JSON.stringify({ searchCache: "/file" }));
    const user = { XDG_CACHE_HOME: "/user" };
    expect(cacheIn(user)).toBe(join("/user", "lamplight"));
    expect(cacheIn(user, config)).toBe("/file");
    expect(cacheIn({ ...user, LAMPLIGHT_SEARCH_CACHE: "/variable" }, config)).toBe("/variable");
  });

  test("takes how the explorer shows pictures from the file", () => {
    const given = { pictures: "proxy", pictureProxy: "https://pictures.example.org/?url=" };
    const config = writeConfig(JSON.stringify(given));
    expect(resolveSettings({ store: "sqlite:a.db", key: ["k"], config }, {})).toMatchObject(given);
    for (const wrong of ["http://a.org/", "https://a.org; script-src *", "https://a b/", "https://u@a.org/"])
      expect(() =>
        resolveSettings(
          { store: "sqlite:a.db", key: ["k"], config: writeConfig(JSON.stringify({ pictureProxy: wrong })) },
          {},
        ),
      ).toThrow("pictureProxy");
  });

  test("prefers flags to the environment, and that to the file", () => {
    const config = writeConfig(
      JSON.stringify({
        store: "sqlite:file.db",
        host: "::1",
        port: 1,
        keys: ["file"],
        profile: "spec",
        limits: { batchCalls: 7 },
      }),
    );
    const fromFile = resolveSettings({ config }, {});
    expect(fromFile).toMatchObject({
      store: "sqlite:file.db",
      host: "::1",
      port: 1,
      keys: ["file"],
      profile: "spec",
    });
    expect(fromFile.limits).toEqual({ ...defaultLimits, batchCalls: 7 });
    const environment = {
      LAMPLIGHT_CONFIG: config,
      LAMPLIGHT_STORE: "sqlite:env.db",
      LAMPLIGHT_PORT: "2",
      LAMPLIGHT_KEYS: " a, b,",
      LAMPLIGHT_PROFILE: "agave",
      LAMPLIGHT_HOST: "",
    };
    expect(resolveSettings({}, environment)).toMatchObject({
      store: "sqlite:env.db",
      host: "::1",
      port: 2,
      keys: ["a", "b"],
      profile: "agave",
    });
    expect(
      resolveSettings({ store: "sqlite:flag.db", port: "0", host: "h", key: ["flag"] }, environment),
    ).toMatchObject({
      store: "sqlite:flag.db",
      host: "h",
      port: 0,
      keys: ["flag"],
    });
  });

  test("takes the public key as a key", () => {
    const config = writeConfig('{"publicKey":"demo"}');
    expect(resolveSettings({ store: "sqlite:a", config }, {}).keys).toEqual(["demo"]);
    expect(resolveSettings({ store: "sqlite:a", config, key: ["x"] }, {}).keys).toEqual(["x", "demo"]);
  });

  test.each<[Parameters<typeof resolveSettings>, string]>([
    [[{ key: ["k"] }, {}], "--store is missing"],
    [[{ store: "sqlite:a" }, {}], "--key is missing"],
    [[{ store: "sqlite:a", key: ["k"], port: "65536" }, {}], "--port must be a number from 0 to 65535"],
    [[{ store: "sqlite:a", key: ["k"], port: "http" }, {}], "--port must be a number"],
    [
      [{ store: "sqlite:a", key: ["k"] }, { LAMPLIGHT_PORT: "-1" }],
      "the environment: LAMPLIGHT_PORT must be a number",
    ],
    [
      [{ store: "sqlite:a", key: ["k"] }, { LAMPLIGHT_PROFILE: "x" }],
      "LAMPLIGHT_PROFILE must be one of auto, spec, agave",
    ],
    [[{ store: "sqlite:a", key: ["k"], workers: "0" }, {}], "--workers must be a number from 1 to 256"],
    [
      [{ store: "sqlite:a", key: ["k"] }, { LAMPLIGHT_WORKERS: "all" }],
      "the environment: LAMPLIGHT_WORKERS must be a number from 1 to 256",
    ],
    [[{ store: "sqlite:a", key: ["fine", "not fine"] }, {}], "--key[1] must be 1 to 128 letters"],
    [[{ store: "sqlite:a" }, { LAMPLIGHT_KEYS: "a/b" }], "the environment: LAMPLIGHT_KEYS[0] must be"],
    [[{ config: "/nowhere/lamplight.json" }, {}], "/nowhere/lamplight.json: the file does not exist"],
    [[{ config: folder }, {}], "the file cannot be read (EISDIR)"],
  ])("refuses %j", (given, message) => {
    expect(() => resolveSettings(...given)).toThrow(message);
  });

  test.each([
    ['{"keys": [secret]}', "is not JSON"],
    ["", "is not JSON"],
    ['{\n"keys": ["secret"],\n}', "is not JSON (line 3)"],
    ['{"keys": ["sec ret"]}', "keys[0] must be 1 to 128 letters"],
    ['{"limits": {"bodyBytes": "1"}}', "limits.bodyBytes must be an integer, not a string"],
    ['{"port": 1, "key": ["secret"]}', "key is not a known setting; did you mean keys?"],
  ])("refuses the file %s and shows no key", (text, message) => {
    const config = writeConfig(text);
    const resolve = () => resolveSettings({ store: "sqlite:a", config }, {});
    expect(resolve).toThrow(`${config}: `);
    expect(resolve).toThrow(message);
    expect(resolve).not.toThrow(/secret|sec ret/u);
  });
});
