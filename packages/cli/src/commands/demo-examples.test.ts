// The examples of the contract that `npm start` serves are what it answers, to the letter.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Contract, examplesOf, parseKeepingText } from "@lamplight/docs/build";
import { expect, test } from "vitest";
import { startCommand } from "../../test/run-command.ts";

const servedUrl = async (child: ChildProcess): Promise<string> => {
  for await (const line of createInterface(child.stdout!)) {
    const url = /API +(\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error("ended before it served");
};

const post = async (url: string, method: string, params: unknown): Promise<string> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body })).text();
};

const answerText = (result: unknown): string => `{"jsonrpc":"2.0","result":${JSON.stringify(result)},"id":1}`;

test("the chain of lamplight demo answers every example of the contract that it serves", async () => {
  const child = startCommand(["demo", "--port", "0"]);
  try {
    const url = await servedUrl(child);
    const discovered = parseKeepingText(await post(url, "rpc.discover", [])) as { readonly result: Contract };
    const examples = discovered.result.methods.flatMap((method) =>
      examplesOf(method).map((example) => ({ method: method.name, ...example })),
    );
    expect(examples.length).toBeGreaterThan(discovered.result.methods.length);
    for (const { method, name, params, result } of examples) {
      const named = Object.fromEntries(params.map((one) => [one.name, one.value]));
      expect(await post(url, method, named), `${method}, ${name}`).toBe(answerText(result.value));
    }
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
});
