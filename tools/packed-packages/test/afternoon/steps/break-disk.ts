import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import type { Step } from "../step.ts";

const hasPrlimit = spawnSync("prlimit", ["--version"]).error === undefined;

/** Every write of the process beyond these bytes of a file is refused. It needs no privilege, and no disk of its own. */
const limitFiles = (pid: number, bytes: "0" | "unlimited"): void => {
  const { status, stderr } = spawnSync("prlimit", [`--pid=${pid}`, `--fsize=${bytes}:`], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
};

export const breakDisk: Step = {
  title: "the disk refuses every write, and takes them again",
  leftOut: ({ place }) => {
    if (place.postgres !== null) return "the disk is that of the database";
    return hasPrlimit ? null : "prlimit is not installed";
  },
  run: async (afternoon) => {
    const { writer } = afternoon;
    limitFiles(writer.child.pid!, "0");
    const full = await writer.sees("store full");
    expect(full.metrics.find("lamplight_follow_store_problem")).toBe(1);
    expect(await afternoon.callStatus("operator")).toBe(200);
    await writer.counts("lamplight_key_usage_unsaved_rows", (rows) => rows > 0);
    limitFiles(writer.child.pid!, "unlimited");
    const mended = await writer.seesReady();
    expect(mended.metrics.find("lamplight_follow_store_problem")).toBe(0);
    await writer.counts("lamplight_key_usage_unsaved_rows", (rows) => rows === 0);
  },
};
