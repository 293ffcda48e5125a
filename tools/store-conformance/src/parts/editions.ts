import { editionAddress, programAddresses } from "@lamplight/codecs";
import { type Edition, type EditionStart, reads } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { accountOf, editionData, masterEditionData, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressOf } from "../chain/addresses.ts";
import { type CreateStore, slotOf, type StoreUnderTest, withStore, withView } from "../store-under-test.ts";

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
};

const find = (under: StoreUnderTest, of: Uint8Array) =>
  withView(under, (view) => view.read(reads.masterEdition(of)));

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
