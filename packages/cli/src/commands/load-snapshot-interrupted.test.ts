// `lamplight load snapshot` that ends early, and is run again.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@lamplight/devchain";
import { loadSnapshot } from "@lamplight/runtime/snapshot";
import { describe, expect, test } from "vitest";
import { serveInterrupted } from "../../test/interrupted-download.ts";
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
    const stopping = new AbortController();
    const stopLater = () => setTimeout(() => stopping.abort(new Error("enough")), 500);
    await using download = await serveInterrupted(loads.archives.full, stopLater);
    const full = `http://somebody:hush@${download.address}?signature=hush`;
    const options = { ...loads.options, full, incremental: null };
    await expect(loadSnapshot(options, silent, stopping.signal)).rejects.toThrow();
    expect(existsSync(loads.file)).toBe(false);
    const receipt = await loadSnapshot(options, silent);
    expect(receipt.full).toBe(`http://${download.address}`);
    expect(readFileSync(loads.file, "latin1")).not.toContain("hush");
    expect(download.ranges).toEqual([undefined, `bytes=${download.bytes >> 1}-`]);
    expect(await problemsOf(loads.file)).toEqual([]);
    expect(existsSync(`${loads.file}.load`)).toBe(false);
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
