// Programs are added to and dropped from a store that one process follows and another one serves.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import { SimulatedHistory } from "@lamplight/devchain/upstream";
import { readSqliteCoverageRequest } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDemoStore } from "../../test/demo-store.ts";
import { FollowedChain, kill, type Running, untilLogged } from "../../test/followed-chain.ts";
import { runCommand } from "../../test/run-command.ts";
import { postCall } from "../../test/serving.ts";

const { token, tokenMetadata } = programAddressTexts;
const NOT_COVERED = -32068;
const MINT_BYTES = 82;
/** Milliseconds between two slots of the chain. */
const SLOT_MS = 60;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-coverage-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Shown {
  readonly coverage: {
    readonly programs: readonly string[];
    readonly filling?: readonly { readonly problem: string | null; readonly total: number | null }[];
  };
  readonly request: { readonly add: readonly string[]; readonly drop: readonly string[] };
}

test("a program is added while calls are answered, over a kill, and dropped again", async () => {
  const store = `sqlite:${join(folder, "chain.db")}`;
  const clean = `sqlite:${join(folder, "clean.db")}`;
  const chain = await FollowedChain.start({ store, clean, seed: 5, programs: [token] });
  const history = new SimulatedHistory(chain.simulation);
  const node = await history.start();
  const show = async (): Promise<Shown> =>
    JSON.parse((await runCommand(["coverage", "show", "--store", store, "--json"])).stdout) as Shown;
  const change = (verb: string): ReturnType<typeof runCommand> =>
    runCommand(["coverage", verb, "--store", store, "--program", "token-metadata"]);
  const stopEmitting = chain.emitOn(SLOT_MS);
  const server = chain.serve();
  const served = JSON.parse(await untilLogged(server, /"msg":"serving"/u)) as { readonly url: string };
  const ask = async (method: string, params: readonly unknown[]): Promise<number | "answered"> => {
    const response = await postCall(`${served.url}/v3/k`, method, params);
    const { error } = (await response.json()) as { readonly error?: { readonly code: number } };
    return error?.code ?? "answered";
  };
  try {
    const { accounts } = chain.simulation.genesis;
    const ofProgram = (program: string): readonly string[] =>
      accounts.flatMap(({ address, programOwner, data }) =>
        encodeAddress(programOwner) === program && (program !== token || data.length === MINT_BYTES)
          ? [encodeAddress(address)]
          : [],
      );
    const [mint] = ofProgram(token);
    const metadata = ofProgram(tokenMetadata);
    expect(await ask("getAsset", [mint])).toBe("answered");
    let follower: Running = chain.follow();
    expect(await change("add")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("1 more program"),
    });
    await untilLogged(follower, /there is no RPC node/u);
    const waiting = await show();
    expect(waiting).toMatchObject({
      coverage: { programs: [token], filling: [{ program: tokenMetadata, total: null }] },
      request: { add: [], drop: [] },
    });
    expect(waiting.coverage.filling![0]!.problem).toContain("--repair-rpc");
    const text = await runCommand(["coverage", "show", "--store", store]);
    expect(text.stdout).toMatch(
      /^program Tokenkeg\w+\nprogram metaq\w+ is being added: there is no RPC node/u,
    );
    // Its metadata may be here or not.
    expect(await ask("getAsset", [mint])).toBe(NOT_COVERED);
    await kill(follower);
    follower = chain.follow("--repair-rpc", node);
    await untilLogged(follower, /adding them to new slots/u);
    await kill(follower);
    follower = chain.follow("--repair-rpc", node);
    await untilLogged(follower, /program metaq\w+ is covered/u);
    expect(await show()).toMatchObject({ coverage: { programs: [token, tokenMetadata] } });
    const found = await Promise.all(
      metadata.map((address) => ask("getAccountInfo", [address, { encoding: "base64" }])),
    );
    expect(await ask("getAsset", [mint])).toBe("answered");
    // An account that was closed since the beginning is unknown, in a store of some programs.
    expect(found).toContain("answered");
    await change("drop");
    await untilLogged(follower, /program metaq\w+ is dropped: \d+ accounts were removed/u);
    expect(await show()).toMatchObject({ coverage: { programs: [token] } });
    expect(await ask("getAccountInfo", [metadata[0], { encoding: "base64" }])).toBe(-32602);
    await stopEmitting();
    follower.child.kill("SIGTERM");
    expect(await once(follower.child, "exit")).toEqual([0, null]);
    await chain.expectSound();
  } finally {
    await stopEmitting();
    history.stop();
    await chain.stop();
  }
});

test("trees are asked for in a store of the whole chain, and given up", async () => {
  const file = join(folder, "demo.db");
  await createDemoStore(file);
  const store = `sqlite:${file}`;
  const run = (...args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(["coverage", ...args, "--store", store]);
  const [one, other] = [token, tokenMetadata];
  expect((await run("add", "--tree", one, "--tree", other)).stdout).toContain("transactions of 2 trees");
  expect((await run("drop", "--tree", one)).stdout).toContain("1 tree will not be completed");
  expect((await run("show")).stdout).toBe(
    `the whole chain\nasked for: the transactions of tree ${other} are to be read\n`,
  );
  await run("drop", "--tree", other);
  expect((await run("show")).stdout).toBe("the whole chain\n");
  // Nothing is left that a follower would report as waiting.
  expect(readSqliteCoverageRequest(file)).toBeNull();
});

test("a store in which a request waits is sound", async () => {
  const file = join(folder, "demo.db");
  await createDemoStore(file);
  const store = ["--store", `sqlite:${file}`];
  expect(await runCommand(["coverage", "add", "--tree", token, ...store])).toMatchObject({ exitCode: 0 });
  expect(await runCommand(["verify", ...store])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(": sound"),
  });
});

test("what cannot be changed is refused", async () => {
  const file = join(folder, "demo.db");
  await createDemoStore(file);
  const store = `sqlite:${file}`;
  for (const [args, sentence] of [
    [["add", "--program", "core"], "--store is missing"],
    [["add", "--store", store], "name at least one --program or --tree"],
    [["add", "--store", store, "--owner", token], "--owner cannot be changed in a followed store"],
    [["add", "--store", store, "--collection", token], "--collection cannot be changed in a followed store"],
    [["drop", "--store", store, "--program", "core"], "covers the whole chain"],
    [["add", "--store", store, "--program", "metadata"], "--program takes an address"],
    [["add", "--store", "shards://a/b?shard=postgres://c/d", "--program", "core"], "several shards"],
  ] as const) {
    const { exitCode, stderr } = await runCommand(["coverage", ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  }
  const shown = await runCommand(["coverage", "show", "--store", store]);
  expect([shown.exitCode, shown.stdout]).toEqual([0, "the whole chain\n"]);
});
