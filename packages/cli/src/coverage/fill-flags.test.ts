import { afterEach, expect, test, vi } from "vitest";
import { fillSnapshotOf } from "./fill-flags.ts";

const withNode = { store: "sqlite:chain.db", repairRpc: "https://rpc.example" };

afterEach(() => vi.unstubAllEnvs());

test("the archives are named by flags or by the environment, and the folder by the store", () => {
  expect(fillSnapshotOf({}, withNode)).toEqual({});
  expect(fillSnapshotOf({ "fill-snapshot": "/mnt/snapshots" }, withNode)).toEqual({
    fillSnapshot: { full: "/mnt/snapshots", incremental: null, folder: "chain.db.fill" },
  });
  vi.stubEnv("LAMPLIGHT_FILL_SNAPSHOT", "https://archives.example/a?key=1");
  vi.stubEnv("LAMPLIGHT_FILL_INCREMENTAL", "https://archives.example/b?key=1");
  const database = { ...withNode, store: "postgres://user:secret@db.example/lamplight" };
  const { fillSnapshot } = fillSnapshotOf({ "fill-work": "/tmp" }, database);
  expect(fillSnapshot).toMatchObject({
    full: "https://archives.example/a?key=1",
    incremental: "https://archives.example/b?key=1",
  });
  expect(fillSnapshot!.folder).toMatch(/^\/tmp\/[\w.-]*db\.example[\w.-]*\.fill$/u);
  expect(fillSnapshot!.folder).not.toContain("secret");
});

test("what cannot be is refused", () => {
  expect(() => fillSnapshotOf({ "fill-work": "/tmp" }, withNode)).toThrow("only for --fill-snapshot");
  expect(() => fillSnapshotOf({ "fill-snapshot": "a.tar" }, { ...withNode, repairRpc: null })).toThrow(
    "--fill-snapshot needs --repair-rpc",
  );
});
