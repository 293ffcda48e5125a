import { copyFileSync, renameSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type IndexStore, reads } from "@lamplight/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FILE_CHECK_MS, VIEW_QUEUE_MAX } from "../engine/settings.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { accountOf, addressOf, fill, slotOf } from "@lamplight/store-conformance/small-chain";
import { temporaryFile } from "../../test/temporary-file.ts";
import { openSqliteReader, type SqliteReader } from "./open-sqlite-reader.ts";

let file: string;
let remove: () => void;
let store: IndexStore;
beforeEach(async () => {
  ({ file, remove } = temporaryFile());
  store = openSqliteStore({ file, mode: "write" });
  await store.commit(slotOf(1, [accountOf("one")]));
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
  remove();
});

const openReader = (connectionsMax = 2) => openSqliteReader({ file, connectionsMax, viewWaitMs: 500 });

describe("the pool of views", () => {
  test("answers at once while there are connections, then in the order of asking", async () => {
    const reader = openReader();
    const open = [reader.openView("finalized"), reader.openView("finalized")] as const;
    for (const view of open) expect(view).not.toBeInstanceOf(Promise);
    const order: number[] = [];
    const waiting = [0, 1, 2].map(async (index) => {
      const view = await reader.openView("finalized");
      order.push(index);
      view.close();
    });
    for (const view of open) (await view).close();
    await Promise.all(waiting);
    expect(order).toEqual([0, 1, 2]);
    reader.close();
  });

  test("a view that waited shows the slot of its opening, not of its asking", async () => {
    const reader = openReader(1);
    const first = await reader.openView("finalized");
    const second = reader.openView("finalized");
    await store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
    expect(first.slot).toBe(1);
    first.close();
    const view = await second;
    expect(view.slot).toBe(2);
    expect(await view.read(reads.account(addressOf("two")))).not.toBeNull();
    view.close();
    reader.close();
  });

  test("refuses with STORE__BUSY past the deadline, and serves again after", async () => {
    const reader = openReader(1);
    const first = await reader.openView("finalized");
    vi.useFakeTimers();
    const second = Promise.resolve(reader.openView("finalized"));
    const refused = expect(second).rejects.toMatchObject({ code: "STORE__BUSY", context: { limit: 1 } });
    await vi.advanceTimersByTimeAsync(499);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    first.close();
    (await reader.openView("finalized")).close();
    reader.close();
  });

  test("refuses at once when too many wait already", async () => {
    const reader = openReader(1);
    const first = await reader.openView("finalized");
    const waiting = Array.from({ length: VIEW_QUEUE_MAX }, () => reader.openView("finalized"));
    expect(() => reader.openView("finalized")).toThrow(expect.objectContaining({ code: "STORE__BUSY" }));
    const settled = Promise.allSettled(waiting);
    first.close();
    (await waiting[0])?.close();
    reader.close();
    const refused = (await settled).filter((one) => one.status === "rejected");
    expect(refused).toHaveLength(VIEW_QUEUE_MAX - 2);
  });

  test("when closed, opens nothing new and lets open views finish", async () => {
    const reader = openReader();
    const view = await reader.openView("finalized");
    reader.close();
    expect(() => reader.openView("finalized")).toThrow(expect.objectContaining({ code: "STORE__BUSY" }));
    expect(await view.read(reads.account(addressOf("one")))).not.toBeNull();
    view.close();
  });

  test("views of one turn share a snapshot; what others commit in the meantime shows in the next", async () => {
    const reader = openReader();
    const slotSeen = async (): Promise<number> => {
      const view = await reader.openView("finalized");
      view.close();
      return view.slot;
    };
    expect(await slotSeen()).toBe(1);
    // The test writes as another process would: past everything that this one counts.
    const other = new DatabaseSync(file);
    other.exec("UPDATE head SET slot = 7");
    other.close();
    expect(await slotSeen()).toBe(1);
    await nextTurn();
    expect(await slotSeen()).toBe(7);
    reader.close();
  });

  test("what this process commits shows at once", async () => {
    const reader = openReader();
    const views = [await reader.openView("finalized")];
    for (const slot of [2, 3]) {
      await store.commit(slotOf(slot, []));
      views.push(await reader.openView("finalized"));
      views.at(-1)!.close();
    }
    expect(views.map((view) => view.slot)).toEqual([1, 2, 3]);
    views[0]!.close();
    reader.close();
  });

  test("a view that stays open over turns keeps its snapshot, and leaves none behind", async () => {
    const reader = openReader(1);
    const view = await reader.openView("finalized");
    await nextTurn();
    await store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
    expect(await view.read(reads.account(addressOf("two")))).toBeNull();
    view.close();
    const later = await reader.openView("finalized");
    expect(later.slot).toBe(2);
    later.close();
    reader.close();
  });

  test("opens more connections after a schema step of a later version, which a new reader refuses", async () => {
    const reader = openReader();
    const first = await reader.openView("finalized");
    const later = new DatabaseSync(file);
    later.exec("PRAGMA user_version = 99");
    later.close();
    const second = await reader.openView("finalized");
    expect(await second.read(reads.account(addressOf("one")))).not.toBeNull();
    expect(() => openReader()).toThrow("schema 99");
    first.close();
    second.close();
    reader.close();
  });

  test("gives its connection back when a view cannot be opened", async () => {
    const empty = temporaryFile();
    const emptyStore = openSqliteStore({ file: empty.file, mode: "write" });
    const reader = openSqliteReader({ file: empty.file, connectionsMax: 1, viewWaitMs: 500 });
    for (let index = 0; index < 3; index += 1) {
      expect(() => reader.openView("finalized")).toThrow(expect.objectContaining({ code: "STORE__LOADING" }));
    }
    await emptyStore.commit(slotOf(1, []));
    (await reader.openView("finalized")).close();
    reader.close();
    await emptyStore.close();
    empty.remove();
  });
});

/** The slot of a view; the code of the error once views fail. */
const openSlot = async (reader: SqliteReader): Promise<unknown> => {
  try {
    const view = await reader.openView("finalized");
    view.close();
    return view.slot;
  } catch (error) {
    return (error as { code: unknown }).code;
  }
};

const replaceFile = async (): Promise<void> => {
  const other = openSqliteStore({ file: `${file}-other`, mode: "write" });
  await other.commit(slotOf(7, [accountOf("other", { slot: 7 })]));
  await other.close();
  renameSync(`${file}-other`, file);
};

describe("a file that is no longer the one that was opened", () => {
  test.each([
    ["replaced", replaceFile],
    ["deleted", () => rmSync(file)],
  ])("is answered from the old one until the change is found, and then not at all: %s", async (_, change) => {
    const reader = openReader();
    const old = await reader.openView("finalized");
    await change();
    expect(old.slot).toBe(1);
    expect(() => reader.openView("finalized")).toThrow(expect.objectContaining({ code: "STORE__REPLACED" }));
    old.close();
    // The connection that is open already is refused at the next check.
    await expect.poll(() => openSlot(reader)).toBe("STORE__REPLACED");
    reader.close();
    await expect(async () => store.commit(slotOf(2, []))).rejects.toMatchObject({ code: "STORE__REPLACED" });
    await expect(async () => store.nextSet?.begin(2)).rejects.toMatchObject({ code: "STORE__REPLACED" });
  });

  test.each(["another store", "an older copy of it"])(
    "is soon not answered from where it was overwritten in place: %s",
    async (what) => {
      const other = `${file}-other`;
      if (what === "another store") {
        const otherStore = openSqliteStore({ file: other, mode: "write" });
        for (let slot = 1; slot < 9; slot++)
          await otherStore.commit(slotOf(slot, [accountOf("other", { slot })]));
        await otherStore.close();
      } else {
        await store.close();
        copyFileSync(file, other);
        store = openSqliteStore({ file, mode: "write" });
        await store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
      }
      // All of it is in the file, and not in the log next to it.
      await store.close();
      const reader = openReader();
      const { ino } = statSync(file);
      copyFileSync(other, file);
      expect(statSync(file).ino).toBe(ino);
      await expect.poll(() => openSlot(reader)).toBe("STORE__REPLACED");
      reader.close();
      store = openSqliteStore({ file, mode: "write" });
    },
  );

  test("is not written any more where it was overwritten in place", async () => {
    await store.close();
    const other = openSqliteStore({ file: `${file}-other`, mode: "write" });
    for (let slot = 1; slot < 9; slot++) await other.commit(slotOf(slot, []));
    await other.close();
    store = openSqliteStore({ file, mode: "write" });
    copyFileSync(`${file}-other`, file);
    const commit = async (): Promise<unknown> => {
      await store.commit(slotOf(9, []));
      return null;
    };
    await expect
      .poll(() => commit().catch((error: unknown) => (error as { code: unknown }).code))
      .toBe("STORE__REPLACED");
  });

  test("is the same one while it is written, moved out of the log and backed up", async () => {
    const reader = openReader();
    for (let slot = 2; slot < 6; slot++) {
      await store.commit(slotOf(slot, [accountOf(`account ${slot}`, { slot })]));
      const log = new DatabaseSync(file);
      log.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      log.close();
      // Longer than two looks.
      await new Promise((resolve) => setTimeout(resolve, 3 * FILE_CHECK_MS));
      expect(await openSlot(reader)).toBe(slot);
    }
    reader.close();
  });

  test("refuses those who wait for a view", async () => {
    const reader = openSqliteReader({ file, connectionsMax: 1, viewWaitMs: 3_600_000 });
    const view = await reader.openView("finalized");
    const waiting = Promise.resolve(reader.openView("finalized"));
    rmSync(file);
    await expect(waiting).rejects.toMatchObject({ code: "STORE__REPLACED" });
    view.close();
    reader.close();
  });
});

test("a view offers the bulk reads of the index at its slot", async () => {
  await fill(store);
  const reader = openReader();
  const view = await reader.openView("finalized");
  await store.commit(slotOf(9, [accountOf("late", { slot: 9 })]));
  const pages = await view.index.readAccountPage(null, 1000);
  expect(pages.some((state) => state.current.slot === 9)).toBe(false);
  expect(pages).toHaveLength(304);
  expect(await view.index.readAssetPage(0, 100)).toHaveLength(20);
  view.close();
  reader.close();
});
