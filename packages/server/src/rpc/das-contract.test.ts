import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { callText, expectRefusal, post, startTestServer, testKey } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { type RunningServer, startServer } from "../start-server.ts";

const dasPath = `/das/${testKey}`;

let store: SmallStore;
let server: RunningServer;
beforeAll(async () => {
  store = await createSmallStore();
  server = await startServer({
    viewSource: store.reader,
    keys: [testKey],
    publicKey: testKey,
    port: 0,
    methods: ["das"],
  });
});
afterAll(async () => {
  await server.stop();
  store.remove();
});

const ask = async (path: string, method: string, params?: unknown): Promise<Record<string, unknown>> =>
  JSON.parse((await post(server, callText(method, params), {}, path)).text) as Record<string, unknown>;

const readiness = async (path: string): Promise<readonly [number, unknown]> => {
  const response = await fetch(`${server.url}${path}/readyz`);
  return [response.status, await response.json()];
};

const refused = async (method: string, params?: unknown): Promise<unknown> =>
  ((await ask(dasPath, method, params)) as { error: { message: string } }).error.message;

describe("with the DAS methods", () => {
  test("answers them at their path, and only there", async () => {
    const byOwner = { ownerAddress: smallAddress };
    expect(await ask(dasPath, "getAssetsByOwner", byOwner)).toMatchObject({
      result: { total: 0, limit: 1000, page: 1, items: [] },
    });
    expect(await ask(`/v3/${testKey}`, "getAssetsByOwner", byOwner)).toMatchObject({
      error: { code: -32601, message: "Method not found; use searchAssets with ownerAddress" },
    });
  });

  test("answers the account methods there too, in both profiles", async () => {
    const account = await ask(dasPath, "getAccountInfo", [smallAddress]);
    expect(account).toMatchObject({ result: { value: { lamports: expect.any(Number) } } });
    expect(account).toEqual(await ask(`/v3/${testKey}`, "getAccountInfo", [smallAddress]));
    const agave = await ask(`${dasPath}?profile=agave`, "getAccountInfo", [smallAddress]);
    expect(agave).toEqual(await ask(`/v3/${testKey}?profile=agave`, "getAccountInfo", [smallAddress]));
  });

  test("describes what it answers, with its own address", async () => {
    const { result } = (await ask(dasPath, "rpc.discover")) as {
      result: {
        info: { title: string };
        methods: { name: string }[];
        servers: { url: string }[];
        components: { schemas: object };
      };
    };
    expect(result.info.title).toBe("Lamplight DAS");
    expect(result.servers[0]!.url).toBe(`${server.url}${dasPath}`);
    const names = result.methods.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["getAssetsByOwner", "getAccountInfo"]));
    for (const name of names) expect(await ask(dasPath, name)).not.toMatchObject({ error: { code: -32601 } });
    const text = JSON.stringify(result);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/gu))
      expect(result.components.schemas).toHaveProperty(name!);
  });

  test("answers readiness at its path as under /v3", async () => {
    const [status, full] = await readiness(dasPath);
    expect([status, full]).toEqual([200, expect.objectContaining({ coverage: expect.anything() })]);
    expect(await readiness(`/v3/${testKey}`)).toEqual([200, full]);
    expect((await readiness("/das/wrong"))[0]).toBe(401);
  });

  test("an empty list of ids has an empty answer", async () => {
    for (const [method, result] of [
      ["getAssets", []],
      ["getAssetBatch", []],
      ["getAssetProofs", {}],
      ["getAssetProofBatch", {}],
    ] as const)
      expect(await ask(dasPath, method, { ids: [] })).toMatchObject({ result });
  });

  test("before and after that are empty texts are not used", async () => {
    const byOwner = { ownerAddress: smallAddress, before: "", after: "" };
    const answer = { result: { total: 0, page: 1 } };
    expect(await ask(dasPath, "getAssetsByOwner", byOwner)).toMatchObject(answer);
    expect(await ask(dasPath, "getAssetsByOwner", { ...byOwner, page: 1 })).toMatchObject(answer);
    expect(await ask(dasPath, "searchAssets", { ...byOwner, cursor: "", page: 1 })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("cursor cannot be combined with page") },
    });
    expect(await refused("getAssetsByOwner", { ...byOwner, before: "0", page: 1 })).toContain(
      "before cannot be combined with page",
    );
  });

  test("asks for a key, names the nearest method, and says what is not served", async () => {
    expectRefusal(await post(server, callText("getAsset", []), {}, "/das/wrong"), 401, -32060);
    expectRefusal(await post(server, callText("getAsset", []), {}, "/das"), 401, -32060);
    expect(await refused("getAssetByOwner")).toBe("Method not found; did you mean getAssetsByOwner?");
    expect(await refused("getAssetProof", { id: smallAddress })).toBe("Asset Not Found");
    expect(await refused("getSignaturesForAsset")).toContain("keeps no history");
    expect(await refused("sendTransaction")).toContain("only reads");
  });

  test("refuses parameters by the name that the caller gave", async () => {
    expect(await refused("getNftEditions", { mint: "0" })).toContain("Invalid params: mint is not base58");
    expect(await refused("getNftEditions", ["0"])).toContain("position 1 mintAddress is not base58");
    for (const [first, second] of [
      ["mint", "mintAddress"],
      ["mintAddress", "mint"],
    ] as const)
      expect(await refused("getNftEditions", { [first]: "a", [second]: "b" })).toContain(
        `${second} is another name of ${first}; give only one of them`,
      );
    expect(await refused("getAssets", { ids: [smallAddress, "0"] })).toContain("ids.1 is not base58");
    const tooMany = Array.from({ length: 1001 }, () => smallAddress);
    expect(await refused("getAssetBatch", { ids: tooMany })).toContain("ids must have at most 1000 items");
    expect(await refused("getAssetsByGroup", { groupKey: "creator", groupValue: "x" })).toContain(
      "groupKey must be one of collection, group",
    );
    const byGroup = { groupKey: "collection", groupValue: "not base58" };
    expect(await refused("getAssetsByGroup", byGroup)).toContain("groupValue is not base58");
    const search = { grouping: ["collection", "not base58"] };
    expect(await refused("searchAssets", search)).toContain("grouping.1 is not base58");
    const options = { showSystemMetadata: true };
    expect(
      await refused("getAssetsByOwner", { ownerAddress: smallAddress, displayOptions: options }),
    ).toContain("answers have no system metadata");
    expect(await refused("searchAssets", { isAgent: true })).toContain("agents are not indexed here");
    const balance = { creatorAddress: smallAddress, options: { showNativeBalance: true } };
    expect(await refused("getAssetsByCreator", balance)).toContain("needs ownerAddress");
  });
});

describe("without the setting", () => {
  test("the path does not exist", async () => {
    const plain = await startTestServer();
    try {
      expectRefusal(await post(plain, callText("getAsset", []), {}, dasPath), 404, -32600);
    } finally {
      await plain.stop();
    }
  });

  test.each([
    [[], false],
    [["das"], true],
  ])("with methods %j, the package is loaded: %s", async (methods, isLoaded) => {
    const loaded = await modulesLoadedWith(methods);
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded.some((url) => url.includes("/packages/das/"))).toBe(isLoaded);
  });
});

/** URLs of the modules that a process loads which starts a server. */
const modulesLoadedWith = async (methods: readonly string[]): Promise<readonly string[]> => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { startServer } = await import(${JSON.stringify(new URL("../start-server.ts", import.meta.url).href)});
    const viewSource = { openView: () => Promise.reject(new Error("nothing is read")) };
    const server = await startServer({ viewSource, keys: ["key"], port: 0, methods: ${JSON.stringify(methods)} });
    await server.stop();
    console.log(JSON.stringify(loaded));
  `;
  const flags = ["--conditions=@lamplight/source", "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as string[];
};
