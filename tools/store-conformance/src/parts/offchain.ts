import {
  answerCall,
  contentParts,
  createMethodSettings,
  joinStored,
  type OffchainStore,
  type OrphansStep,
  packContents,
  type PackedContents,
  TOO_LARGE,
  CallRequest,
  reads,
} from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { assetAt, cdnUri, longHostUri, offchainRow as row, says } from "../chain/offchain-rows.ts";
import { type CreateStore, slotOf, type StoreUnderTest, withStore, withView } from "../store-under-test.ts";

/** Each content as text, or what is in its place. */
const unpacked = ({ bytes, places }: PackedContents): readonly (string | null)[] =>
  places.map((place) =>
    place === null || place === TOO_LARGE
      ? place
      : bytes.toString("utf8", place.start, place.start + place.size),
  );

const roundText = (index: number, round: number): string => says(`${index} of ${round}`);

/** A row without an empty column. */
const full = row("https://a/1.json", {
  status: "ok",
  json: '{"big":18446744073709551615}',
  sha256: new Uint8Array(32).fill(7),
  etag: '"v"',
  lastModified: "today",
  immutable: true,
  firstSeenMs: 1_700_000_000_000,
  fetchedMs: 1_700_000_000_001,
  dueMs: 1_700_000_000_002,
  attempts: 3,
  lastError: "why",
});

export const describeOffchain = (create: CreateStore): void => {
  const withOffchain = (
    body: (offchain: OffchainStore, under: StoreUnderTest) => Promise<void>,
  ): Promise<void> =>
    withStore(create, async (under) => {
      if (under.store.offchain === undefined) throw new Error("the store keeps no off-chain documents");
      await body(under.store.offchain, under);
    });

  describe("off-chain documents", () => {
    test("keeps every column, and replaces by URI", () =>
      withOffchain(async (offchain) => {
        await offchain.writeRows([row("https://a/1.json"), row("https://a/2.json")]);
        await offchain.writeRows([full]);
        expect(await offchain.readRows(["https://a/2.json", "https://a/none", "https://a/1.json"])).toEqual([
          row("https://a/2.json"),
          null,
          full,
        ]);
        expect(await offchain.countByStatus()).toMatchObject({ pending: 1, ok: 1, gone: 0 });
      }));

    test("keeps a URI of a host whose name is longer than an index can hold", () =>
      withOffchain(async (offchain) => {
        const written = row(longHostUri, { dueMs: 5 });
        await offchain.writeRows([written]);
        expect(await offchain.readRows([written.uri])).toEqual([written]);
      }));

    test("lists what is due in a queue: the newest and the oldest new rows, and retries by their time", () =>
      withOffchain(async (offchain) => {
        await offchain.writeRows([
          row(cdnUri("retry-late"), { fetchedMs: 1, dueMs: 9 }),
          row(cdnUri("retry-early"), { fetchedMs: 1, dueMs: 5 }),
          row(cdnUri("not-yet"), { fetchedMs: 1, dueMs: 11 }),
          row(cdnUri("new-not-yet"), { firstSeenMs: 9, dueMs: 11 }),
          row(cdnUri("done"), { fetchedMs: 1, dueMs: null }),
          row(cdnUri("new-old"), { firstSeenMs: 2 }),
          row(cdnUri("new-young"), { firstSeenMs: 3 }),
          row("https://b.test/1", { firstSeenMs: 4 }),
        ]);
        const listed = {
          newest: ["new-young", "new-old"],
          oldest: ["new-old", "new-young"],
          tried: ["retry-early", "retry-late"],
        };
        for (const order of ["newest", "oldest", "tried"] as const) {
          for (const limit of [1, 2, 10]) {
            const due = await offchain.listDue("a.test", 10, order, limit);
            expect(due.map((one) => one.uri)).toEqual(listed[order].slice(0, limit).map(cdnUri));
          }
        }
        expect(await offchain.findNextDue()).toBe(1);
      }));

    test("gives documents that can change a date by their age, page by page, and leaves retries alone", () =>
      withOffchain(async (offchain) => {
        const fetched = { status: "ok", json: says("one"), fetchedMs: 1000, dueMs: null } as const;
        const rows = {
          undated: row(cdnUri("undated"), fetched),
          undatedFailure: row(cdnUri("failed"), { ...fetched, status: "gone", attempts: 3 }),
          late: row(cdnUri("late"), { ...fetched, dueMs: 1121 }),
          dated: row(cdnUri("dated"), { ...fetched, dueMs: 1120 }),
          retried: row(cdnUri("retried"), { ...fetched, status: "failed", dueMs: 9000 }),
          immutable: row(cdnUri("immutable"), { ...fetched, immutable: true }),
          none: row(cdnUri("none"), { ...fetched, status: "refused", json: null }),
          pending: row(cdnUri("pending"), { dueMs: 7 }),
        };
        await offchain.writeRows(Object.values(rows));
        const places: (string | null)[] = [];
        do places.push(await offchain.dateRefreshes(places.at(-1) ?? null, 3, { ms: 100, msMax: 120 }));
        while (places.at(-1) !== null);
        expect(places).toHaveLength(3);
        const dated = { ...rows.undated, dueMs: 1100 };
        expect(await offchain.readRows(Object.values(rows).map(({ uri }) => uri))).toEqual([
          dated,
          { ...rows.undatedFailure, dueMs: 1100 },
          { ...rows.late, dueMs: 1100 },
          rows.dated,
          rows.retried,
          rows.immutable,
          rows.none,
          rows.pending,
        ]);
        expect(await offchain.listDue("a.test", 1100, "tried", 10)).toHaveLength(3);
        expect(await offchain.dateRefreshes(null, 8, { ms: 100, msMax: 120 })).not.toBeNull();
      }));

    test("walks over the queues in which a row has a date, by the bytes of their names", () =>
      withOffchain(async (offchain) => {
        await offchain.writeRows([
          row("https://x.B-c.test/1", { dueMs: 7 }),
          row("https://y.b-c.test/2", { dueMs: 5 }),
          row("https://bc.test/1", { dueMs: 3 }),
          row("https://a_.test/1", { dueMs: 2 }),
          row("https://a9.test/1", { dueMs: 1 }),
          row("https://done.test/1", { dueMs: null }),
          row("https://[2001:db8:1:2::3]/", { dueMs: 9 }),
          row("ipfs://bafy/1", { dueMs: 4 }),
          row("data:,{}", { dueMs: 6 }),
          row("no scheme", { dueMs: 8 }),
        ]);
        const walk = async (): Promise<object[]> => {
          const found: object[] = [];
          let next = await offchain.findQueueAfter("");
          for (; next !== null; next = await offchain.findQueueAfter(next.queue)) found.push(next);
          return found;
        };
        const all = [
          { queue: "[2001:db8:1::]", dueMs: 9 },
          { queue: "a9.test", dueMs: 1 },
          { queue: "a_.test", dueMs: 2 },
          { queue: "b-c.test", dueMs: 5 },
          { queue: "bc.test", dueMs: 3 },
          { queue: "ipfs", dueMs: 4 },
          { queue: "local", dueMs: 6 },
        ];
        expect(await walk()).toEqual(all);
        await offchain.writeRows([row("https://y.b-c.test/2", { dueMs: null })]);
        expect(await walk()).toEqual(all.with(3, { queue: "b-c.test", dueMs: 7 }));
      }));

    test("tells views what a document adds to its assets, from its first write on", () =>
      withOffchain(async (offchain, under) => {
        await under.store.commit(slotOf(1));
        const uris = ["https://a/1.json", "https://a/2.json", "x"];
        const read = (bytesMax?: number): Promise<unknown> =>
          withView(under, (view) => view.read(reads.contents(uris, bytesMax)));
        expect(await read()).toEqual([null, null, null]);
        await offchain.writeRows([row(uris[0]!, { json: says("one ☀") }), row(uris[1]!, { json: "[1]" })]);
        const parts = contentParts(says("one ☀"))!;
        expect(await read()).toEqual([{ parts }, null, null]);
        expect(await read(Buffer.byteLength(parts))).toEqual([{ parts }, null, null]);
        expect(await read(Buffer.byteLength(parts) - 1)).toEqual([{ parts: null }, null, null]);
        await offchain.writeRows([row(uris[0]!, { json: says("two") })]);
        expect(await read()).toEqual([{ parts: contentParts(says("two")) }, null, null]);
      }));

    test("are packed as bytes as they are read, also after they changed", () =>
      withOffchain(async (offchain, under) => {
        await under.store.commit(slotOf(1));
        const uris = Array.from({ length: 40 }, (_, index) => `https://a/é${index}.json`);
        const compare = (): Promise<void> =>
          withView(under, async (view) => {
            const packed = await view.read(reads.packedContents(uris, 120));
            expect(unpacked(packed)).toEqual(
              unpacked(packContents(await view.read(reads.contents(uris, 120)))),
            );
          });
        await compare();
        const write = (text: string, every: number): Promise<void> =>
          Promise.resolve(
            offchain.writeRows(
              uris
                .filter((_, index) => index % every === 0)
                .map((uri, index) => row(uri, { json: index === 1 ? "[1]" : says(text.repeat(index)) })),
            ),
          );
        await write("☀", 3);
        await compare();
        await write("two", 2);
        await compare();
      }));

    test("are in pages as each asset of the same view shows them, also after earlier pages", () =>
      withOffchain(async (offchain, under) => {
        const write = (index: number, json: string | null): Promise<void> =>
          Promise.resolve(offchain.writeRows([row(cdnUri(String(index)), { json })]));
        const assets = Array.from({ length: 60 }, (_, index) => assetAt(index, "a"));
        await under.store.writeCoverage({ kind: "whole" });
        const { ordinals } = await under.store.commit(slotOf(1, { assets }));
        /** A page and, one by one, what it should be. */
        const read = async (request: CallRequest): Promise<readonly [page: string, alone: string]> => {
          const page = String(await answerCall("searchAssets", { limit: 1000 }, request));
          const view = await request.view("finalized");
          const { items } = JSON.parse(page) as { readonly items: readonly { readonly id: string }[] };
          const stored = await view.read(reads.ownAssets(items.map(({ id }) => ordinals[Number(id)]!)));
          const alone = await Promise.all(stored.map((one) => joinStored(view, one!)));
          return [
            page.slice(page.indexOf('"items":')),
            `"items":[${alone.map(({ document }) => document).join(",")}]}`,
          ];
        };
        const steps: readonly (() => unknown)[] = [
          () => write(3, says("one ☀")),
          () => under.store.commit(slotOf(2, { assets: [assetAt(3, "b"), assetAt(24, "c")] })),
          () => write(3, says("two")),
          () => Promise.all([write(4, says("x".repeat(70_000))), write(5, says("y"))]),
          () => under.store.commit(slotOf(3, { assetsRemoved: [assets[5]!.id] })),
          () => write(3, null),
          () => write(4, "[1]"),
          () => under.store.commit(slotOf(4, { assets: assets.slice(40) })),
          () => write(25, says("of none")),
        ];
        const settings = createMethodSettings({ apiVersion: "0", assetCommitment: "finalized" });
        const open = (): CallRequest => new CallRequest({ viewSource: under.reader, settings });
        let before = open();
        let [pageBefore] = await read(before);
        for (const step of steps) {
          await step();
          const request = open();
          const [page, alone] = await read(request);
          expect((await read(before))[0]).toBe(pageBefore);
          for (const again of [page, (await read(request))[0]]) {
            if (!page.includes('"truncated":true')) expect(again).toBe(alone);
            expect(again).toBe(page);
          }
          before.close();
          [before, pageBefore] = [request, page];
        }
        before.close();
      }));

    test("are written by another process while the store is written, and each view shows both", () =>
      withOffchain(async (_, under) => {
        if (under.openDocuments === undefined) return;
        const documents = await under.openDocuments();
        await expect(under.openDocuments()).rejects.toMatchObject({ code: "STORE__LOCKED" });
        const [uris, rounds] = [Array.from({ length: 20 }, (__, index) => cdnUri(String(index))), 15];
        for (let round = 1; round <= rounds; round += 1) {
          const rows = uris.map((uri, index) => row(uri, { json: roundText(index, round) }));
          const assets = uris.map((__, index) => assetAt(index, `at ${round}`));
          await Promise.all([
            under.store.commit(slotOf(round, { assets })),
            documents.offchain.writeRows(rows),
            documents.offchain.writeNotedSeq(round),
          ]);
          const read = await withView(under, (view) => view.read(reads.contents(uris)));
          expect(read).toEqual(uris.map((__, index) => ({ parts: contentParts(roundText(index, round)) })));
          const changed = await documents.readAssetsChangedSince((round - 1) * uris.length, 1000);
          expect(changed.map(({ changeSeq }) => changeSeq)).toEqual(
            uris.map((__, index) => (round - 1) * uris.length + index + 1),
          );
        }
        expect(await documents.offchain.readNotedSeq()).toBe(rounds);
        await documents.close();
        await documents.close();
        await (await under.openDocuments()).close();
      }));

    test("that no asset names are removed by their age, and shown again where one names them again", () =>
      withOffchain(async (offchain, under) => {
        if (offchain.removeOrphans === undefined) return;
        await under.store.writeCoverage({ kind: "whole" });
        const named = assetAt(1, "named");
        const burnt = { ...assetAt(2, "burnt"), burnt: true };
        await under.store.commit(slotOf(1, { assets: [named, burnt, assetAt(3, "moves")] }));
        const old = { status: "ok", firstSeenMs: 10, fetchedMs: 999, json: says("old") } as const;
        const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
        for (const index of numbers) await offchain.writeRows([row(cdnUri(String(index)), old)]);
        const young = row(cdnUri("young"), { ...old, firstSeenMs: 100 });
        const waiting = row(cdnUri("waiting"), { firstSeenMs: 10 });
        await offchain.writeRows([waiting, young, row("https://last.test/", { ...old, firstSeenMs: 100 })]);
        const readPage = (): Promise<string> =>
          withView(under, async (view) => {
            const uris = [1, 2, 3, 4].map((index) => cdnUri(String(index)));
            return unpacked(await view.read(reads.packedContents(uris, 1000))).join(" ");
          });
        // Readers know the rows by now.
        const before = await readPage();
        expect(before).toContain(contentParts(says("old")));
        await under.store.commit(slotOf(2, { assets: [{ ...assetAt(3, "moved"), jsonUri: "x" }] }));
        let removed = 0;
        for (let after: string | null = ""; after !== null;) {
          const step: OrphansStep = await offchain.removeOrphans(after === "" ? null : after, 3, 100);
          removed += step.removed;
          after = step.after;
        }
        const left = async (names: readonly string[]): Promise<readonly boolean[]> =>
          (await offchain.readRows(names.map(cdnUri))).map((one) => one !== null);
        expect(await left(numbers.map(String))).toEqual([true, true, ...numbers.slice(2).map(() => false)]);
        expect(await left(["young", "waiting"])).toEqual([true, false]);
        expect(removed).toBe(7);
        expect(await offchain.removeOrphans(null, 1000, 100)).toEqual({ removed: 0, after: null });
        // It comes again, with another row and another content.
        await under.store.commit(slotOf(3, { assets: [assetAt(3, "back")] }));
        await offchain.writeRows([row(cdnUri("9"), old), row(cdnUri("3"), { json: says("again") })]);
        expect(await readPage()).toContain(contentParts(says("again")));
        const page = await withView(under, (view) => view.read(reads.contents([cdnUri("3"), cdnUri("4")])));
        expect(page).toEqual([{ parts: contentParts(says("again")) }, null]);
      }));

    test("remembers how far the assets' changes were noted", () =>
      withOffchain(async (offchain) => {
        expect(await offchain.readNotedSeq()).toBe(0);
        await offchain.writeNotedSeq(2 ** 40);
        expect(await offchain.readNotedSeq()).toBe(2 ** 40);
      }));

    test("an empty store has nothing due and no document", () =>
      withOffchain(async (offchain) => {
        expect(await offchain.findNextDue()).toBeNull();
        expect(await offchain.listDue("a.test", Number.MAX_SAFE_INTEGER, "oldest", 5)).toEqual([]);
        expect(await offchain.findQueueAfter("")).toBeNull();
      }));
  });
};
