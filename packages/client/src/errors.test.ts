import { afterEach, describe, expect, test } from "vitest";
import { contractDocument } from "@lamplight/contract";
import { siteFiles } from "@lamplight/docs/build";
import { type ScriptServer, startScriptServer } from "../test/script-server.ts";
import type { WireError } from "./errors/rpc-error.ts";
import * as client from "./index.ts";

const { createClient, HttpError, isAssetNotFound, NetworkError, RpcError } = client;

let server: ScriptServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** The error that the client throws when a server answers that. */
const thrownBy = async (
  body: string,
  about: { status?: number; headers?: Record<string, string>; path?: string } = {},
) => {
  const { path = "/v3/s3cret", ...more } = about;
  server = await startScriptServer(() => ({ body, ...more }));
  const call = createClient({ url: `${server.url}${path}`, retry: false }).getAsset({ id: "a" });
  return call.then(
    () => expect.unreachable(),
    (error: InstanceType<typeof RpcError>) => error,
  );
};

const errorBody = (error: object): string => JSON.stringify({ jsonrpc: "2.0", error, id: 1 });

const errors = (contractDocument as unknown as { components: { errors: Record<string, WireError> } })
  .components.errors;

const refusals = contractDocument.methods.flatMap((method) =>
  ((method as { "x-error-examples"?: readonly { error: object }[] })["x-error-examples"] ?? []).map(
    ({ error }) => error,
  ),
);

describe("an error of the contract", () => {
  test("has a class and a guard that know it, and no other one", () => {
    const kinds = Object.keys(errors) as client.RpcErrorName[];
    const guards = client as unknown as Record<string, (error: unknown) => boolean>;
    for (const kind of kinds) {
      const error = new RpcError(errors[kind]!);
      expect(error.kind).toBe(kind);
      expect(error.name).toBe(kind.replace(/(Error)?$/, "Error"));
      const Class = (client as unknown as Record<string, typeof RpcError>)[error.name]!;
      expect(error instanceof Class).toBe(true);
      expect(kinds.filter((other) => guards[`is${other}`]!(error))).toEqual([kind]);
    }
  });

  test("is known by its reason where account methods send another code", () => {
    const reasons = [
      [-32602, "STORE__NOT_COVERED", "NotCovered"],
      [-32602, "QUERY__OVER_BUDGET", "QueryOverBudget"],
      [-32600, "REQUEST__BATCH_TOO_LARGE", "BatchTooLarge"],
      [-32603, "busy", "Busy"],
    ] as const;
    for (const [code, reason, kind] of reasons)
      expect(new RpcError({ code, message: "m", data: { reason } }).kind).toBe(kind);
    expect(new RpcError({ code: -32602, message: "constructor", data: { reason: "toString" } }).kind).toBe(
      "InvalidParams",
    );
  });

  test("that is not known is an RpcError without a kind", () => {
    expect(new RpcError({ code: -1, message: "odd", data: "text" })).toMatchObject({
      name: "RpcError",
      kind: null,
      data: "text",
    });
  });

  test("names method, parameter, request, address and page, and never the key", async () => {
    const error = await thrownBy(
      errorBody({
        code: -32602,
        message: "Invalid params: near s3cret",
        data: { parameter: "limit", position: 21, hint: "use 1000" },
      }),
      { headers: { "x-request-id": "r-7" } },
    );
    expect(error).toMatchObject({
      name: "InvalidParamsError",
      method: "getAsset",
      parameter: "limit",
      position: 21,
      hint: "use 1000",
      requestId: "r-7",
      url: `${server!.url}/v3/<key>`,
      docs: `${server!.url}/errors/InvalidParams.html`,
      status: 200,
    });
    expect(error.message).toBe("Invalid params: near <key>");
  });

  test("links to a place that the documentation has", () => {
    const pages = siteFiles();
    for (const kind of Object.keys(errors)) expect(pages.get(`errors/${kind}.html`)).toContain("What to do");
  });

  test("carries the id of an internal error", async () => {
    const error = await thrownBy(
      errorBody({ code: -32603, message: "Internal error", data: { id: "u-u-i-d" } }),
    );
    expect(error.requestId).toBe("u-u-i-d");
  });

  test("of every recorded refusal has a kind", () => {
    expect(refusals.length).toBeGreaterThan(10);
    expect(refusals.filter((error) => new RpcError(error as never).kind === null)).toEqual([]);
  });

  test("has a guard that refuses every other value", () => {
    for (const other of [null, undefined, "text", { kind: "AssetNotFound" }, new Error("x")])
      expect(isAssetNotFound(other)).toBe(false);
  });
});

describe("another server, or none", () => {
  test.each([
    ["a web page", "<!doctype html><p>s3cret", { status: 200 }, "a web page answered"],
    ["nothing", "", { status: 502 }, "check host, port"],
    ["an address without a key", "nope", { status: 404, path: "/" }, "/v3/<key>"],
  ])("%s: says what to check", async (_what, body, about, words) => {
    const error = await thrownBy(body, about);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ name: "HttpError", status: about.status, method: "getAsset" });
    expect(error.hint).toContain(words);
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("s3cret");
  });

  test("an RPC node: says so", async () => {
    const error = await thrownBy(errorBody({ code: -32601, message: "Method not found" }));
    expect(client.isMethodNotFound(error)).toBe(true);
    expect(error.hint).toContain("no Lamplight server");
  });

  test("a refused path: says where calls go", async () => {
    const body = errorBody({ code: -32600, message: "No such path; calls go to POST /v3/<API_KEY>" });
    expect((await thrownBy(body, { status: 404, path: "/" })).hint).toContain("apiKey");
  });

  test("a port where nothing listens: fails at once, with what to check", async () => {
    const gone = await startScriptServer(() => ({}));
    await gone.close();
    const call = createClient({ url: gone.url, apiKey: "s3cret", retry: { delayMs: 1e9, delayMsMax: 1e9 } });
    const error = await call.getAsset("a").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      url: `${gone.url}/v3/<key>`,
      method: "getAsset",
      isDropped: false,
      hint: expect.stringContaining("start the server") as string,
    });
    expect((error as Error).message).toContain(gone.url);
  });
});
