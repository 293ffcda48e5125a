import type { Slot, UnfinalizedSlot } from "@lamplight/core";
import { expect, test } from "vitest";
import { UNFINALIZED_PART_BYTES } from "./engine/settings.ts";
import { openPostgresStore, type PostgresIndexStore } from "./open-postgres-store.ts";
import { readUnfinalizedHead } from "./queries/read-unfinalized.ts";
import { openPostgresReader } from "./reader/open-postgres-reader.ts";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { describeWithPostgres } from "../test/with-postgres.ts";

const shown = (slot: Slot, body = Uint8Array.of(slot)): UnfinalizedSlot => ({
  slot,
  parent: slot - 1,
  blockhash: `hash ${slot}`,
  body,
});

const openStore = async (url: string): Promise<PostgresIndexStore> =>
  openPostgresStore({ url, mode: "write" });

describeWithPostgres("what is shown above the root", (under) => {
  test("is read as one state, bodies only where they are not known", async () => {
    const url = under().newStore();
    const store = await openStore(url);
    await store.commit(slotOf(10, [accountOf("one")]));
    expect(await store.takeOverUnfinalized()).toMatchObject({ slots: [], confirmedSlot: 10 });
    await store.publishUnfinalized({ added: [shown(11), shown(12)], dropped: [], confirmedSlot: 11 });
    const reader = await openPostgresReader({ url });
    const first = await reader.readUnfinalized(new Map());
    expect(first).toMatchObject({
      watermark: { slot: 10 },
      confirmedSlot: 11,
      slots: [
        { ...shown(11), revision: first.revision },
        { ...shown(12), revision: first.revision },
      ],
    });
    // Another block of slot 12, and one more.
    await store.publishUnfinalized({
      added: [{ ...shown(12), blockhash: "other" }, shown(13)],
      dropped: [],
      confirmedSlot: 11,
    });
    const second = await reader.readUnfinalized(
      new Map(first.slots.map(({ slot, revision }) => [slot, revision])),
    );
    expect(second.revision).toBe(first.revision + 1);
    expect(second.slots.map(({ slot, blockhash, body }) => [slot, blockhash, body])).toEqual([
      [11, "hash 11", null],
      [12, "other", Uint8Array.of(12)],
      [13, "hash 13", Uint8Array.of(13)],
    ]);
    await store.publishUnfinalized({ added: [], dropped: [13], confirmedSlot: 12 });
    await store.commit(slotOf(11, []));
    expect(await reader.readUnfinalized(new Map())).toMatchObject({
      watermark: { slot: 11 },
      confirmedSlot: 12,
      slots: [{ slot: 12 }],
    });
    reader.close();
    await store.close();
  });

  test("is that of a new snapshot after a read that failed, and with it the data of an account", async () => {
    const url = under().newStore();
    const store = await openStore(url);
    const account = accountOf("one");
    await store.commit(slotOf(10, [account]));
    const reader = await openPostgresReader({ url });
    expect(await reader.readFinalizedData(account.address)).toEqual(account.data);
    expect(await reader.readFinalizedData(new Uint8Array(32))).toBeNull();
    const broken = new Error("not decoded");
    const failing = reader.readBesideViews(async (session) => {
      await readUnfinalizedHead(session);
      throw broken;
    });
    await expect(failing).rejects.toBe(broken);
    await store.commit(slotOf(11, [{ ...account, slot: 11, data: Uint8Array.of(9) }]));
    expect((await reader.readUnfinalized(new Map())).watermark?.slot).toBe(11);
    expect(await reader.readFinalizedData(account.address)).toEqual(Uint8Array.of(9));
    reader.close();
    await store.close();
  });

  test("comes back whole when it takes several rows, and empty when it is", async () => {
    const url = under().newStore();
    const store = await openStore(url);
    await store.commit(slotOf(10, []));
    const large = new Uint8Array(UNFINALIZED_PART_BYTES + 3).map((_, index) => index % 251);
    await store.publishUnfinalized({
      added: [shown(11, large), shown(12, new Uint8Array(0))],
      dropped: [],
      confirmedSlot: 10,
    });
    const { slots } = await store.takeOverUnfinalized();
    expect(slots.map(({ slot }) => slot)).toEqual([11, 12]);
    expect(Buffer.compare(slots[0]!.body!, large)).toBe(0);
    expect(slots[1]!.body).toEqual(new Uint8Array(0));
    await store.close();
  });

  test("is taken over by the next writer, unless another one changed the store in between", async () => {
    const url = under().newStore();
    const first = await openStore(url);
    await first.commit(slotOf(10, []));
    await first.publishUnfinalized({ added: [shown(11)], dropped: [], confirmedSlot: 11 });
    await first.close();
    const second = await openStore(url);
    expect((await second.takeOverUnfinalized()).slots).toMatchObject([shown(11)]);
    await second.commit(slotOf(10, [accountOf("one")]));
    expect((await second.takeOverUnfinalized()).slots).toMatchObject([shown(11)]);
    await second.close();
    const loader = await openStore(url);
    await loader.commit(slotOf(10, [accountOf("two")]));
    expect((await loader.takeOverUnfinalized()).slots).toEqual([]);
    await loader.close();
  });

  test("is removed before a writer that did not take it over fills the next set", async () => {
    const url = under().newStore();
    const killed = await openStore(url);
    await killed.commit(slotOf(10, []));
    await killed.publishUnfinalized({ added: [shown(11)], dropped: [], confirmedSlot: 11 });
    await killed.close();
    const deriving = await openStore(url);
    await deriving.nextSet?.begin(2);
    await deriving.nextSet?.fill([], { version: 2, after: null, isFilled: false });
    expect((await deriving.takeOverUnfinalized()).slots).toEqual([]);
    await deriving.close();
  });

  test("is fenced as every commit is", async () => {
    const url = under().newStore();
    const first = await openStore(url);
    await first.commit(slotOf(10, []));
    await under().server.cutSessions("lamplight writer");
    const second = await openStore(url);
    await second.publishUnfinalized({ added: [shown(12)], dropped: [], confirmedSlot: 10 });
    await second.close();
    const late = async () =>
      first.publishUnfinalized({ added: [shown(11)], dropped: [12], confirmedSlot: 11 });
    await late().catch(() => undefined);
    await expect(late()).rejects.toMatchObject({ code: "STORE__LOCKED" });
    await first.close();
    const reader = await openPostgresReader({ url });
    expect((await reader.readUnfinalized(new Map())).slots).toMatchObject([shown(12)]);
    reader.close();
  });
});
