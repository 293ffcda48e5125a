import { editionAddress, programAddresses } from "@lamplight/codecs";
import { commitments, type ReadView, reads } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { accountOf, masterEditionData, tokenAccountOf, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressOf } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { type CreateStore, slotOf, type StoreUnderTest, withStore, withView } from "../store-under-test.ts";

const delegate = addressOf("delegate");
const mint = addressOf("mint");
const masterMint = addressOf("master mint");
const master = editionAddress(masterMint, null);

/** Everything a reader can ask, as it must answer at that slot. */
const everyRead: readonly { readonly name: string; readonly read: (view: ReadView) => unknown }[] = [
  { name: "findAccount", read: (view) => view.read(reads.account(addressOf("wallet"))) },
  { name: "findAccount of a closed one", read: (view) => view.read(reads.account(addressOf("closing"))) },
  {
    name: "findAccounts",
    read: (view) => view.read(reads.accounts([addressOf("closing"), addressOf("wallet")])),
  },
  {
    name: "listAccountsByDelegate",
    read: (view) =>
      view.read(reads.moreDelegated({ delegate, tokenProgram: programAddresses.token, mint: null })),
  },
  {
    name: "listLargestAccounts",
    read: (view) =>
      view.read(
        reads.largest({
          filter: "circulating",
          limit: 20,
          clock: { epoch: 0n, unixTimestamp: 0n },
        }),
      ),
  },
  { name: "findAsset", read: (view) => view.read(reads.ownAsset(assetOf("one").id)) },
  { name: "getAssets", read: (view) => view.read(reads.ownAssets([0, 1])) },
  {
    name: "findEditionPage",
    read: (view) => view.read(reads.editionPage(master, { kind: "offset", offset: 0 }, 10)),
  },
  { name: "findEdition", read: (view) => view.read(reads.edition(addressOf("print mint 1"))) },
  {
    name: "listEditions",
    read: (view) => view.read(reads.editions(master, { kind: "offset", offset: 0 }, 10)),
  },
  { name: "countEditions", read: (view) => view.read(reads.editionCount(master)) },
  {
    name: "searchAssets",
    read: (view) =>
      view.read(
        reads.search({
          criteria: [{ kind: "owner", owner: addressOf("owner"), ownerModel: "single", includeZero: false }],
          match: "all",
          negate: false,
          sort: "updated",
          direction: "desc",
          start: { kind: "page", page: 1 },
          limit: 10,
        }),
      ),
  },
  {
    name: "listOrdinals",
    read: (view) => view.terms.listOrdinals({ kind: "burnt", value: false }, 10),
  },
  { name: "filterByName", read: (view) => view.terms.filterByName(Uint32Array.of(0, 1), "at 1") },
  { name: "listChanges", read: (view) => view.terms.listChanges(0, 100) },
];

/** A slot that changes the answer of every read. */
const commitSlot = async (under: StoreUnderTest, slot: number): Promise<void> => {
  const token = { mint, tokenOwner: addressOf("w"), delegate, amount: BigInt(slot) };
  await under.store.commit(
    slotOf(slot, {
      accounts: [
        writeOf(accountOf("wallet", { slot, lamports: BigInt(slot) * 1000n })),
        writeOf(slot % 2 === 0 ? tombstoneOf("closing", slot) : accountOf("closing", { slot })),
        writeOf(tokenAccountOf(`token ${slot}`, token, { slot })),
        writeOf(
          accountOf("master", {
            address: master,
            slot,
            programOwner: programAddresses.tokenMetadata,
            data: masterEditionData(BigInt(slot), null),
          }),
        ),
      ],
      assets: ["one", "two", `new ${slot}`].map((name) =>
        assetOf(name, {
          updatedSlot: slot,
          name: `${name} at ${slot}`,
          document: `{"slot":${slot}}`,
          frozen: slot % 2 === 0,
        }),
      ),
      editions: [1, slot + 1].map((number) => ({
        address: addressOf(`print ${number}`),
        parent: master,
        mint: addressOf(`print mint ${number === 1 && slot > 1 ? "moved" : number}`),
        number: BigInt(number),
      })),
    }),
  );
};

const answersOf = async (view: ReadView): Promise<unknown[]> => {
  const answers: unknown[] = [];
  for (const { read } of everyRead) answers.push(await read(view));
  return answers;
};

export const describeViews = (create: CreateStore): void => {
  describe("read views", () => {
    test("refuse with STORE__LOADING before the first watermark", () =>
      withStore(create, async (under) => {
        await expect((async () => under.reader.openView("finalized"))()).rejects.toMatchObject({
          code: "STORE__LOADING",
        });
        await under.store.commit(slotOf(1));
        expect(await withView(under, (view) => view.slot)).toBe(1);
      }));

    test("stand at the newest slot for each commitment of a store without a live source", () =>
      withStore(create, async (under) => {
        for (const slot of [3, 8]) {
          await under.store.commit(slotOf(slot));
          for (const commitment of commitments) {
            const view = await under.reader.openView(commitment);
            expect(view.slot).toBe(slot);
            view.close();
          }
        }
      }));

    test.each(everyRead)("$name: a new slot between any two reads shows the old one", ({ name, read }) =>
      withStore(create, async (under) => {
        await commitSlot(under, 1);
        const view = await under.reader.openView("confirmed");
        const before = await read(view);
        for (const slot of [2, 3]) {
          await commitSlot(under, slot);
          expect(await read(view)).toEqual(before);
          expect(view.slot).toBe(1);
        }
        view.close();
        await commitSlot(under, 4);
        const after = await withView(under, read);
        expect(after, `${name} must have changed, or this proves nothing`).not.toEqual(before);
      }),
    );

    test("answer every read from the slot of their opening, with slots written between all of them", () =>
      withStore(create, async (under) => {
        await commitSlot(under, 1);
        const expected = await withView(under, answersOf);
        const view = await under.reader.openView("finalized");
        const answers: unknown[] = [];
        for (const [index, { read }] of everyRead.entries()) {
          await commitSlot(under, index + 2);
          answers.push(await read(view));
        }
        expect(answers).toEqual(expected);
        view.close();
      }));

    test("stay apart: several at once, each at its own slot", () =>
      withStore(create, async (under) => {
        const open: { view: ReadView; answers: unknown[] }[] = [];
        for (const slot of [1, 2, 3, 4]) {
          await commitSlot(under, slot);
          const view = await under.reader.openView("finalized");
          open.push({ view, answers: await answersOf(view) });
        }
        for (const [index, { view, answers }] of open.entries()) {
          expect(view.slot).toBe(index + 1);
          expect(await answersOf(view)).toEqual(answers);
        }
        for (const { view } of open) view.close();
      }));

    test("may be closed twice", () =>
      withStore(create, async (under) => {
        await under.store.commit(slotOf(1));
        const view = await under.reader.openView("finalized");
        view.close();
        view.close();
        const [first, second] = [
          await under.reader.openView("finalized"),
          await under.reader.openView("finalized"),
        ];
        await under.store.commit(slotOf(2, { accounts: [writeOf(accountOf("late"))] }));
        expect(await first.read(reads.account(addressOf("late")))).toBeNull();
        expect(await second.read(reads.account(addressOf("late")))).toBeNull();
        first.close();
        second.close();
      }));

    test("are given back: many more than can be open, one after another", () =>
      withStore(create, async (under) => {
        await under.store.commit(slotOf(1));
        for (let index = 0; index < 200; index += 1)
          expect(await withView(under, (view) => view.slot)).toBe(1);
      }));
  });
};
