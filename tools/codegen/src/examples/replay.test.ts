import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiVersion } from "@lamplight/server";
import { SAMPLE_KEY } from "@lamplight/cli/sample-chain";
import { type ContractMethod, examplesOf, parametersOf } from "@lamplight/docs/build";
import { readContract, readExactContract } from "../read-contract.ts";
import { readExactDasContract } from "../read-das-contract.ts";
import { dasPath, type DemoServer, post, requestText, startDemoServer } from "./demo-server.ts";
import { exampleCalls } from "./example-calls.ts";
import { dasExampleCalls, dasRefusedCalls, type NamedCall } from "./das-calls.ts";
import { askRefused } from "./record-answers.ts";
import { refusedCalls, refusedRequests } from "./refused-calls.ts";

const contract = readExactContract();
const das = readExactDasContract();

let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(async () => {
  await server.stop();
});

const answerText = (result: unknown): string => `{"jsonrpc":"2.0","result":${JSON.stringify(result)},"id":1}`;
const refusalText = (error: unknown, id: number | null): string =>
  `{"jsonrpc":"2.0","error":${JSON.stringify(error)},"id":${id}}`;

/** Posts a call to the address of a contract. */
const call = (path: string, method: string, params: unknown) =>
  post(server, requestText(method, params), SAMPLE_KEY, path);

const recordedDas = (calls: (method: ContractMethod) => readonly { readonly name: string }[]) =>
  das.methods.flatMap((method) => calls(method).map(({ name }) => `${method.name} ${name}`)).toSorted();

const listed = (calls: readonly NamedCall[]) =>
  calls.map(({ method, name }) => `${method} ${name}`).toSorted();

const methods = [
  ...contract.methods.map((method) => ({ path: "/v3/", method })),
  ...das.methods.map((method) => ({ path: dasPath, method })),
];

for (const { path, method } of methods)
  describe(`the recorded examples of ${path}, ${method.name}`, () => {
    for (const example of examplesOf(method)) {
      const named = Object.fromEntries(example.params.map(({ name, value }) => [name, value]));

      test(`${example.name}: by name, to the letter`, async () => {
        const { status, text } = await call(path, method.name, named);
        expect(text).toBe(answerText(example.result.value));
        expect(status).toBe(200);
      });
    }

    // The playground and the documentation component of OpenRPC send the values of an example in the order listed.
    for (const example of method.examples)
      test(`${example.name}: as the playground sends it, to the letter`, async () => {
        const params = example.params.map(({ value }) => value);
        const { text } = await call(path, method.name, params);
        expect(text).toBe(answerText(example.result.value));
      });

    for (const { name, params, error } of method["x-error-examples"] ?? [])
      test(`${name}: refused, to the letter`, async () => {
        const { status, text } = await call(path, method.name, params);
        expect(text).toBe(refusalText(error, 1));
        expect(status).toBe(200);
      });
  });

describe("the recorded refused requests", () => {
  test.each(contract["x-refused-requests"]!)("$name", async ({ name, status, error }) => {
    const request = refusedRequests.find((one) => one.name === name)!;
    const answer = await askRefused(request, server);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/"id":(?:null|\d+)\}\]?$/u);
    expect(answer.text).toContain(`"error":${JSON.stringify(error)},"id":`);
  });
});

describe("the contract", () => {
  test("holds every example call, and no other", () => {
    const recorded = contract.methods.flatMap((method) =>
      examplesOf(method).map((one) => `${method.name} ${one.name}`),
    );
    expect(recorded.toSorted()).toEqual(
      exampleCalls.map(({ method, name }) => `${method} ${name}`).toSorted(),
    );
    const refused = contract.methods.flatMap((method) =>
      (method["x-error-examples"] ?? []).map(({ name }) => `${method.name} ${name}`),
    );
    expect(refused.toSorted()).toEqual(
      refusedCalls.map(({ method, name }) => `${method} ${name}`).toSorted(),
    );
    expect(contract["x-refused-requests"]!.map(({ name }) => name)).toEqual(
      refusedRequests.map(({ name }) => name),
    );
  });

  test("of DAS holds every example call, and no other", () => {
    expect(recordedDas(examplesOf)).toEqual(listed(dasExampleCalls));
    expect(recordedDas((method) => method["x-error-examples"]!)).toEqual(listed(dasRefusedCalls));
  });

  test("shows an example of every error that is given today", () => {
    const shown = new Set(
      [
        ...contract.methods.flatMap((method) => method["x-error-examples"] ?? []),
        ...contract["x-refused-requests"]!,
      ].map(({ error }) => (error as { code: number }).code),
    );
    expect([...shown].toSorted((one, other) => one - other)).toEqual([
      -32700, -32602, -32601, -32600, -32068, -32067, -32066, -32065, -32064, -32060, -32016, -32000,
    ]);
  });

  test("has the version that answers carry", () => {
    expect(readContract().info.version).toBe(apiVersion);
    expect(das.info.version).toBe(apiVersion);
  });

  test("names a parameter once", () => {
    for (const method of contract.methods) {
      const names = parametersOf(method).flatMap((one) => [one.name, ...(one["x-aliases"] ?? [])]);
      expect(new Set(names).size, method.name).toBe(names.length);
    }
  });
});
