// `lamplight load snapshot` that ends early, and is run again.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { loadSnapshot } from "@lamplight/runtime/snapshot";
import { describe, expect, test } from "vitest";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { contentOf, problemsOf, silent, useSnapshotLoads } from "../../test/snapshot-loads.ts";

/** More with LAMPLIGHT_KILL_RUNS=50. */
const KILL_RUNS = Number(process.env["LAMPLIGHT_KILL_RUNS"] ?? 3);
const KILL_SEED = Number(process.env["LAMPLIGHT_KILL_SEED"] ?? 1);
const COMMAND_MS = 900_000;
const loads = useSnapshotLoads();

describe("an interrupted load", () => {
  test("reports a full disk, and later continues from its partitions", async () => {
    await expect(loads.load({ fileBytesMax: 700_000 })).rejects.toMatchObject({ code: "STORE__FULL" });
    expect(existsSync(loads.file)).toBe(false);
    expect(existsSync(join(`${loads.file}.load`, "stage", "stage.json"))).toBe(true);
    const notes: string[] = [];
    await loadSnapshot(loads.options, { ...silent, say: (line) => notes.push(line) });
    expect(notes.join()).toContain("an earlier run");
    expect(await problemsOf(loads.file)).toEqual([]);
  });

  test("continues a download that was cut short", async () => {
    const bytes = readFileSync(loads.archives.full);
    const half = bytes.length >> 1;
    const stopping = new AbortController();
    const ranges: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      const from = Number(/bytes=(\d+)-/u.exec(request.headers.range ?? "")?.[1] ?? 0);
      response.writeHead(from > 0 ? 206 : 200, {
        "content-length": bytes.length - from,
        "accept-ranges": "bytes",
        etag: '"one"',
        ...(from > 0 ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
      });
      if (request.method === "HEAD") return void response.end();
      ranges.push(request.headers.range);
      if (ranges.length > 1) return void response.end(bytes.subarray(from));
      // Half of it, and then nothing more, until the load is stopped.
      response.write(bytes.subarray(0, half), () =>
        setTimeout(() => stopping.abort(new Error("enough")), 500),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const full = `http://somebody:hush@127.0.0.1:${port}/${basename(loads.archives.full)}?signature=hush`;
      const store = `sqlite:${loads.file}`;
      const options = { full, incremental: null, store, filter: null, verify: "full" } as const;
      await expect(loadSnapshot(options, silent, stopping.signal)).rejects.toThrow();
      expect(existsSync(loads.file)).toBe(false);
      const receipt = await loadSnapshot(options, silent);
      expect(receipt.full).toBe(`http://127.0.0.1:${port}/${basename(loads.archives.full)}`);
      expect(readFileSync(loads.file, "latin1")).not.toContain("hush");
      expect(ranges).toEqual([undefined, `bytes=${half}-`]);
      expect(await problemsOf(loads.file)).toEqual([]);
      expect(existsSync(`${loads.file}.load`)).toBe(false);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("stops when its signal aborts", async () => {
    const stopping = new AbortController();
    const update = ({ stage }: { readonly stage: string }): void => {
      if (stage === "derive") stopping.abort(new Error("enough"));
    };
    await expect(loadSnapshot(loads.options, { ...silent, update }, stopping.signal)).rejects.toThrow(
      "enough",
    );
    expect(existsSync(loads.file)).toBe(false);
    await loads.load();
    expect(await problemsOf(loads.file)).toEqual([]);
  });

  test(
    "killed at any moment, ends in the same store when it is run again",
    async () => {
      await loads.load();
      const expected = contentOf(loads.file);
      const random = new Random(KILL_SEED, 0, 0);
      for (let run = 0; run < KILL_RUNS; run += 1) {
        const target = join(loads.folder, `killed-${run}.db`);
        const { full, incremental } = loads.archives;
        const args = ["load", "snapshot", full, incremental, "--store", `sqlite:${target}`];
        const kills = random.between(1, 2);
        for (let kill = 0; kill < kills; kill += 1) {
          const child = startCommand(args);
          const exit = once(child, "exit");
          await Promise.race([exit, sleep(random.between(200, 2500))]);
          child.kill("SIGKILL");
          await exit;
        }
        if (!existsSync(target)) {
          const { exitCode, stderr } = await runCommand(args);
          expect(exitCode, stderr).toBe(0);
        }
        expect(contentOf(target), `seed ${KILL_SEED}, run ${run}`).toEqual(expected);
      }
    },
    COMMAND_MS + KILL_RUNS * 200_000,
  );
});
