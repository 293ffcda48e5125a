import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Bench, median, percentile, runBench, TooBusyError } from "./bench.ts";
import { chaosTests } from "./chaos.ts";
import { load } from "./harness/load.ts";

const benchOf = (run: Bench["run"]): Bench => ({ name: "sample", about: "", run });
const silent = (): void => {};

test("a bench gives its figures", async () => {
  const figures = [{ name: "rate", value: 2, unit: "x" }];
  expect(
    await runBench(
      benchOf(async () => figures),
      silent,
    ),
  ).toEqual({ figures });
});

test("a machine that is too busy is named in one sentence", async () => {
  const busy = benchOf(() => Promise.reject(new TooBusyError("0 answers")));
  expect(await runBench(busy, silent)).toEqual({
    tooBusy:
      "sample was not measured, this machine is too busy: 0 answers. Run it again with less other load",
  });
});

test("figures without a value are too few measurements", async () => {
  const empty = { name: "wait", value: percentile([], 0.5), unit: "ms" };
  const ratio = { name: "ratio", value: 1 / median([0]), unit: "x" };
  const outcome = await runBench(
    benchOf(async () => [empty, ratio]),
    silent,
  );
  expect(outcome).toMatchObject({ tooBusy: expect.stringContaining('no value for "wait", "ratio"') });
});

test("an error of the bench itself keeps its stack", async () => {
  const faulty = benchOf(() => Promise.reject(new TypeError("a fault")));
  await expect(runBench(faulty, silent)).rejects.toThrow(TypeError);
});

test("a server that hangs up or refuses under load is too busy", async () => {
  const server = createServer((request, response) =>
    request.url === "/refused" ? void response.writeHead(503).end() : void response.destroy(),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const path of ["/", "/refused"])
    await expect(
      load({ url: new URL(path, base), seconds: () => 0 }, ["{}"], { connections: 4, seconds: 1 }),
    ).rejects.toThrow(TooBusyError);
});

test("requests that take longer than the seconds of a load are answered all the same", async () => {
  const server = createServer((_, response) => {
    setTimeout(() => response.end('{"jsonrpc":"2.0","result":{"context":{}},"id":1}'), 600);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => void server.closeAllConnections());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const { perSecond } = await load({ url, seconds: () => 0 }, ["{}"], { connections: 2, seconds: 0.01 });
  expect(perSecond).toBeGreaterThan(0);
});

test("every test that chaos names is there", () => {
  const root = new URL("../../..", import.meta.url);
  expect(chaosTests.map(({ file }) => file).filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});
