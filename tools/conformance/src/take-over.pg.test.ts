// Slots that were published when their writer ended: the next writer continues from them.

import { zstdCompressSync } from "node:zlib";
import { programAddresses } from "@lamplight/codecs";
import { type Account, type ChainEvent, type Slot, reads } from "@lamplight/core";
import { ChainFollower, createIndexer, ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import {
  openPostgresReader,
  openPostgresStore,
  type PostgresIndexStore,
  type PostgresReader,
} from "@lamplight/store-postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

/** Only ends what would otherwise never end. */
const patience = { timeout: 300_000, interval: 20 };
const ROOT = 100;
const OTHER_FORMAT = 255;
const address = new Uint8Array(32).fill(9);

const write = (slot: Slot, lamports: bigint): Account => ({
  address,
  programOwner: programAddresses.system,
  lamports,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(0),
  slot,
  writeVersion: slot,
});

/** One whole block; `name` stands for its hash. */
const block = (slot: Slot, name: string, parentName: string, lamports: bigint): readonly ChainEvent[] => [
  { kind: "account", account: write(slot, lamports) },
  { kind: "block", slot, parent: slot - 1, blockhash: name, parentBlockhash: parentName },
  { kind: "slot", slot, parent: slot - 1, status: "complete" },
];

const chain = [...block(101, "a1", "root", 2n), ...block(102, "a2", "a1", 3n), ...block(103, "a3", "a2", 4n)];
const confirmed = (slot: Slot): ChainEvent => ({ kind: "slot", slot, parent: null, status: "confirmed" });
const finalized = (slot: Slot): ChainEvent => ({ kind: "slot", slot, parent: null, status: "finalized" });

const emit = async (follower: ChainFollower, ...events: readonly ChainEvent[]): Promise<void> => {
  for (const event of events) await follower.take(event);
};

describePostgres("slots that another writer showed", () => {
  let server: TestPostgres;
  let url: string;
  let stores = 0;
  let store: PostgresIndexStore;
  let reader: PostgresReader;
  let node: SharedOverlay;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(async () => {
    url = `${server.url}?schema=take_over_${(stores += 1)}`;
    store = await openPostgresStore({ url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await createIndexer(store).applyAccounts([write(ROOT, 1n)], { slot: ROOT, blockhash: "root" });
    reader = await openPostgresReader({ url });
    node = new SharedOverlay({ unfinalized: reader, viewSource: reader });
  });
  afterEach(async () => {
    await node.stop();
    reader.close();
    await store.close();
  });

  const follow = async (): Promise<{ overlay: ForkOverlay; follower: ChainFollower; gaps: unknown[] }> => {
    const overlay = await ForkOverlay.open({ store, viewSource: reader, shared: store });
    const gaps: unknown[] = [];
    return { overlay, gaps, follower: new ChainFollower({ overlay, onGap: (gap) => gaps.push(gap) }) };
  };

  /** Another process opens the store for writing. */
  const nextWriter = async (): Promise<void> => {
    await store.close();
    store = await openPostgresStore({ url, mode: "write" });
  };

  /** Slot and lamports at processed, confirmed, finalized. */
  const seen = async (): Promise<string> => {
    await node.catchUp();
    const found: string[] = [];
    for (const commitment of ["processed", "confirmed", "finalized"] as const) {
      const view = await node.openView(commitment);
      found.push(`${view.slot} ${(await view.read(reads.account(address)))?.lamports}`);
      view.close();
    }
    return found.join(", ");
  };

  test("are finalized by the next writer though its source reports nothing of them any more", async () => {
    await emit((await follow()).follower, ...chain, confirmed(102));
    await vi.waitFor(async () => expect(await seen()).toBe("103 4, 102 3, 100 1"), patience);
    await nextWriter();
    const { overlay, follower, gaps } = await follow();
    expect(overlay.state).toMatchObject({ finalizedSlot: 100, confirmedSlot: 102, processedSlot: 103 });
    expect(await seen()).toBe("103 4, 102 3, 100 1");
    await emit(follower, { kind: "restart" }, ...block(104, "a4", "a3", 5n), finalized(103));
    expect(gaps).toEqual([]);
    await vi.waitFor(async () => expect(await seen()).toBe("104 5, 103 4, 103 4"), patience);
  });

  test("give way to other blocks of their numbers, with all that built on them", async () => {
    await emit((await follow()).follower, ...chain);
    await nextWriter();
    const { follower } = await follow();
    await emit(
      follower,
      { kind: "restart" },
      ...block(101, "a1", "root", 2n),
      ...block(102, "b2", "a1", 30n),
    );
    await vi.waitFor(async () => expect(await seen()).toBe("102 30, 100 1, 100 1"), patience);
    await emit(follower, ...block(103, "b3", "b2", 40n), finalized(103));
    expect(await seen()).toBe("103 40, 103 40, 103 40");
  });

  test("are gone once anyone else has changed the store", async () => {
    await emit((await follow()).follower, ...chain);
    expect(await seen()).toBe("103 4, 100 1, 100 1");
    await nextWriter();
    await createIndexer(store).applyAccounts([{ ...write(ROOT, 7n), writeVersion: 1000 }], null);
    expect(await seen()).toBe("100 7, 100 7, 100 7");
    expect((await follow()).overlay.state).toMatchObject({ processedSlot: 100, unfinalizedSlots: 0 });
  });

  test("a store that was put back is reported once, and read as it stands", async () => {
    let reported = 0;
    const watching = new SharedOverlay({
      unfinalized: reader,
      viewSource: reader,
      onWentBack: () => (reported += 1),
    });
    await emit((await follow()).follower, ...chain, finalized(102));
    await watching.catchUp();
    const client = await server.connect();
    await client.query(`UPDATE take_over_${stores}.head SET slot = 100, blockhash = 'root'`);
    await client.end();
    for (let look = 0; look < 2; look += 1) await watching.catchUp();
    expect([reported, watching.state?.finalizedSlot, watching.state?.processedSlot]).toEqual([1, 100, 100]);
  });

  test("of a version that this one does not know are not answered, and the next writer shows its own", async () => {
    await emit((await follow()).follower, ...chain);
    await store.publishUnfinalized({
      added: [
        { slot: 101, parent: 100, blockhash: "a1", body: zstdCompressSync(Uint8Array.of(OTHER_FORMAT)) },
      ],
      dropped: [],
      confirmedSlot: 100,
    });
    expect(await seen()).toBe("100 1, 100 1, 100 1");
    expect(node.state).toMatchObject({ unreadSlots: 1 });
    await nextWriter();
    const { follower } = await follow();
    await emit(follower, { kind: "restart" }, ...chain);
    await vi.waitFor(async () => expect(await seen()).toBe("103 4, 100 1, 100 1"), patience);
    expect(node.state).toMatchObject({ unreadSlots: 0 });
  });
});
