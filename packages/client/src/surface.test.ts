import { describe, expect, test } from "vitest";
import { contractDocument } from "@lamplight/contract";
import { dasDocument } from "@lamplight/das";
import * as das from "./das/index.ts";
import * as dasInProcess from "./das/in-process.ts";
import * as inProcess from "./in-process.ts";
import * as main from "./index.ts";

describe("the public surface", () => {
  test("is what callers were promised", () => {
    const kinds = Object.keys(main.rpcErrorCodes);
    const ofErrors = kinds.flatMap((kind) => [`is${kind}`, kind.replace(/(Error)?$/, "Error")]);
    expect(
      Object.keys(main)
        .filter((name) => !ofErrors.includes(name))
        .toSorted(),
    ).toMatchInlineSnapshot(`
      [
        "ClientError",
        "HttpError",
        "NetworkError",
        "RpcError",
        "contractVersion",
        "createClient",
        "fetchOrThrow",
        "monotonicReads",
        "parseExact",
        "perTick",
        "rawContent",
        "rpcErrorCodes",
        "stringifyExact",
      ]
    `);
    expect(ofErrors.filter((name) => !(name in main))).toEqual([]);
    expect(Object.keys(inProcess).toSorted()).toMatchInlineSnapshot(`
      [
        "createInProcessClient",
      ]
    `);
    expect(Object.keys(das)).toEqual(["createDasClient"]);
    expect(Object.keys(dasInProcess)).toEqual(["createInProcessDasClient"]);
  });

  test("has one function per method of the contract", () => {
    const client = main.createClient({ url: "http://127.0.0.1:9" });
    const names = contractDocument.methods.map(({ name }) => name);
    expect(Object.keys(client).toSorted()).toEqual(
      [...names, "batch", "waitForSlot", "with", "withMeta"].toSorted(),
    );
  });

  test("has one function per method of the DAS contract, and the account methods", () => {
    const client = das.createDasClient({ url: "http://127.0.0.1:9" });
    const accounts = contractDocument.methods.filter(({ name }) => !/Asset|Edition/u.test(name));
    const names = [...dasDocument.methods, ...accounts].map(({ name }) => name);
    expect(Object.keys(client).toSorted()).toEqual(
      [...names, "batch", "waitForSlot", "with", "withMeta"].toSorted(),
    );
  });

  test("carries the contract's version", () => {
    expect(main.contractVersion).toBe(contractDocument.info.version);
  });
});
