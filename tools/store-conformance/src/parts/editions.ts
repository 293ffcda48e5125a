import { editionAddress, programAddresses } from "@lamplight/codecs";
import { type Edition, type EditionStart, type MasterEdition, reads } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { accountOf, editionData, masterEditionData, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressOf } from "../chain/addresses.ts";
import {
  askBoth,
  type CreateStore,
  slotOf,
  type StoreUnderTest,
  withStore,
  withView,
} from "../store-under-test.ts";

const parent = addressOf("parent");

const editionOf = (number: bigint, of = parent): Edition => ({
  address: addressOf(`edition ${number} of ${of[0]}`),
  parent: of,
  mint: addressOf(`mint ${number} of ${of[0]}`),
  number,
});

const list = (under: StoreUnderTest, start: EditionStart, limit: number, of = parent) =>
  withView(under, (view) => view.read(reads.editions(of, start, limit)));

export const describeEditions = (create: CreateStore): void => {
  describe("editions", () => {
    test("are listed by offset, after and before, always ascending", () =>
      withStore(create, async (under) => {
        const numbers = [1n, 2n, 3n, 5n, 8n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];
        const editions = numbers.map((number) => editionOf(number));
        const foreign = editionOf(4n, addressOf("other parent"));
        await under.store.commit(slotOf(1, { editions: [...editions.toReversed(), foreign] }));
        expect(await list(under, { kind: "offset", offset: 0 }, 100)).toEqual(editions);
        expect(await list(under, { kind: "offset", offset: 2 }, 3)).toEqual(editions.slice(2, 5));
        expect(await list(under, { kind: "offset", offset: 9 }, 3)).toEqual([]);
        expect(await list(under, { kind: "after", number: 3n }, 2)).toEqual(editions.slice(3, 5));
        expect(await list(under, { kind: "after", number: 4n }, 2)).toEqual(editions.slice(3, 5));
        expect(await list(under, { kind: "after", number: 2n ** 63n - 1n }, 5)).toEqual(editions.slice(7));
        expect(await list(under, { kind: "after", number: 2n ** 64n - 1n }, 5)).toEqual([]);
        expect(await list(under, { kind: "before", number: 8n }, 2)).toEqual(editions.slice(2, 4));
        expect(await list(under, { kind: "before", number: 2n ** 64n - 1n }, 3)).toEqual(
          editions.slice(5, 8),
        );
        expect(await list(under, { kind: "before", number: 1n }, 3)).toEqual([]);
        expect(await withView(under, (view) => view.read(reads.editionCount(parent)))).toBe(9);
        expect(await withView(under, (view) => view.read(reads.editionCount(addressOf("none"))))).toBe(0);
      }));

    test("are found by mint and by address, replaced by address, and removed", () =>
      withStore(create, async (under) => {
        const findEdition = (key: Uint8Array) => withView(under, (view) => view.read(reads.edition(key)));
        const countEditions = () => withView(under, (view) => view.read(reads.editionCount(parent)));
        const edition = editionOf(7n);
        await under.store.commit(slotOf(1, { editions: [edition] }));
        expect(await countEditions()).toBe(1);
        expect(await findEdition(edition.mint)).toEqual(edition);
        expect(await findEdition(edition.address)).toEqual(edition);
        expect(await findEdition(addressOf("nothing"))).toBeNull();
        const changed = { ...edition, mint: addressOf("true mint"), number: 8n };
        await under.store.commit(slotOf(2, { editions: [changed] }));
        expect(await findEdition(edition.mint)).toBeNull();
        expect(await list(under, { kind: "offset", offset: 0 }, 9)).toEqual([changed]);
        await under.store.commit(slotOf(3, { editionsRemoved: [edition.address, addressOf("nothing")] }));
        expect(await findEdition(edition.address)).toBeNull();
        expect(await countEditions()).toBe(0);
      }));

    test("are counted as of the view that asks", () =>
      withStore(create, async (under) => {
        await under.store.commit(slotOf(1, { editions: [editionOf(7n)] }));
        await withView(under, async (before) => {
          expect(await before.read(reads.editionCount(parent))).toBe(1);
          await under.store.commit(slotOf(2, { editions: [editionOf(8n)] }));
          await withView(under, async (after) => {
            expect(await after.read(reads.editionCount(parent))).toBe(2);
            expect(await before.read(reads.editionCount(parent))).toBe(1);
          });
        });
      }));

    test("lose none when two have the same number", () =>
      withStore(create, async (under) => {
        const twins = ["a", "b"].map((name) => ({
          ...editionOf(1n),
          address: addressOf(name),
          mint: addressOf(`m ${name}`),
        }));
        await under.store.commit(slotOf(1, { editions: twins }));
        const all = await list(under, { kind: "offset", offset: 0 }, 9);
        expect(all).toHaveLength(2);
        expect(await list(under, { kind: "offset", offset: 1 }, 9)).toEqual(all.slice(1));
      }));
  });

  describeMasters(create);
  describePages(create);
};

const find = async (under: StoreUnderTest, of: Uint8Array): Promise<MasterEdition | null> => {
  const found: (MasterEdition | null)[] = [];
  const asked = reads.editionPage(editionAddress(of, null), { kind: "offset", offset: 0 }, 1);
  await askBoth(under, asked, ({ master }) => void found.push(master));
  expect(found[0]).toEqual(found[1]);
  return found[0]!;
};

const describeMasters = (create: CreateStore): void => {
  const mint = addressOf("master mint");
  const address = editionAddress(mint, null);
  const printMint = addressOf("print mint");
  const printAddress = editionAddress(printMint, null);
  const tokenMetadata = { programOwner: programAddresses.tokenMetadata };
  const masterAccount = (maxSupply: bigint | null) =>
    accountOf("master", { address, ...tokenMetadata, data: masterEditionData(2n ** 63n, maxSupply) });
  const printAccount = accountOf("print", {
    address: printAddress,
    ...tokenMetadata,
    data: editionData(address, 3n),
  });

  describe("master editions", () => {
    test.each([null, 0n, 2n ** 64n - 1n])(
      "are found by their mint and by a print's mint (max supply %s)",
      (maxSupply) =>
        withStore(create, async (under) => {
          const accounts = [writeOf(masterAccount(maxSupply)), writeOf(printAccount)];
          await under.store.commit(slotOf(1, { accounts }));
          const master = { address, supply: 2n ** 63n, maxSupply };
          expect(await find(under, mint)).toEqual(master);
          expect(await find(under, printMint)).toEqual(master);
          expect(await find(under, addressOf("no mint"))).toBeNull();
        }),
    );

    test("are not found for a print without its edition account, nor for an edition's address", () =>
      withStore(create, async (under) => {
        const editions = [{ address: printAddress, parent: address, mint: printMint, number: 3n }];
        await under.store.commit(slotOf(1, { accounts: [writeOf(masterAccount(null))], editions }));
        expect(await find(under, printMint)).toBeNull();
        expect(await find(under, printAddress)).toBeNull();
      }));

    test("are not found where the account is closed or another program's", () =>
      withStore(create, async (under) => {
        await under.store.commit(slotOf(1, { accounts: [writeOf(masterAccount(null))] }));
        await under.store.commit(slotOf(2, { accounts: [writeOf(tombstoneOf("master", 2, { address }))] }));
        expect(await find(under, mint)).toBeNull();
        const foreign = { ...masterAccount(null), slot: 3, programOwner: programAddresses.system };
        await under.store.commit(slotOf(3, { accounts: [writeOf(foreign)] }));
        expect(await find(under, mint)).toBeNull();
      }));
  });
};

/** Two have the same number. */
const numbers = [0n, 1n, 2n, 2n, 2n ** 63n, 2n ** 64n - 1n];

const printsOf = (master: Uint8Array): Edition[] =>
  numbers.map((number, index) => ({
    address: editionAddress(addressOf(`print ${index} of ${master[0]}`), null),
    parent: master,
    mint: addressOf(`print ${index} of ${master[0]}`),
    number,
  }));

const accountAt = (address: Uint8Array, data: Uint8Array) =>
  writeOf(accountOf("edition", { address, programOwner: programAddresses.tokenMetadata, data }));

/** The page as it must be, from all prints in their order. */
const pageIn = (all: readonly Edition[], start: EditionStart, limit: number) => {
  const [from, to] = placeIn(all, start, limit);
  return { editions: all.slice(from, to), hasMore: to < all.length };
};

const placeIn = (all: readonly Edition[], start: EditionStart, limit: number): [number, number] => {
  if (start.kind === "offset") return [start.offset, start.offset + limit];
  const below = all.filter(({ number }) => number < start.number).length;
  if (start.kind === "before") return [Math.max(0, below - limit), below];
  const upTo = all.filter(({ number }) => number <= start.number).length;
  return [upTo, upTo + limit];
};

const describePages = (create: CreateStore): void => {
  const mint = addressOf("master mint");
  const sparse = Uint8Array.from(addressOf("sparse")).fill(0, 8, 16);
  const starts: readonly EditionStart[] = [
    ...[0, 1, 5, 6, 100].map((offset) => ({ kind: "offset", offset }) as const),
    ...[0n, 2n, 3n, 2n ** 63n, 2n ** 64n - 1n].flatMap((number) => [
      { kind: "after", number } as const,
      { kind: "before", number } as const,
    ]),
  ];

  describe("pages of editions", () => {
    test.each([
      ["a master edition", editionAddress(mint, null)],
      ["a master edition whose address has a run of zeros", sparse],
    ])("have the prints of %s from each place, by each account that leads to it", (_name, address) =>
      withStore(create, async (under) => {
        const prints = printsOf(address);
        const accounts = [
          accountAt(address, masterEditionData(7n, null)),
          ...prints.map((print) => accountAt(print.address, editionData(address, print.number))),
        ];
        const others = printsOf(addressOf("other master"));
        await under.store.commit(slotOf(1, { accounts, editions: [...others, ...prints.toReversed()] }));
        const all = prints.toSorted((a, b) =>
          a.number === b.number ? Buffer.compare(a.address, b.address) : a.number < b.number ? -1 : 1,
        );
        const master = { address, supply: 7n, maxSupply: null };
        for (const of of [prints[0]!.address, prints[5]!.address, address])
          for (const start of starts)
            for (const limit of [1, 2, 6, 1000]) {
              const asked = reads.editionPage(of, start, limit);
              const wanted = { master, count: all.length, ...pageIn(all, start, limit) };
              await askBoth(under, asked, (page) => expect(page).toEqual(wanted));
            }
      }),
    );

    test("are empty without a master edition", () =>
      withStore(create, async (under) => {
        const editions = printsOf(editionAddress(mint, null));
        await under.store.commit(slotOf(1, { editions }));
        for (const start of starts) {
          const asked = reads.editionPage(editionAddress(mint, null), start, 10);
          const empty = { master: null, count: 0, editions: [], hasMore: false };
          await askBoth(under, asked, (page) => expect(page).toEqual(empty));
        }
      }));
  });
};
