// The numbers of prints, and the lists of the prints of a master.
import { editionAddress, encodeAddress } from "@lamplight/codecs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { derivedAssets } from "../../../test/derived-assets.ts";
import { closedAt, key, masterEdition, metadata, mint, print } from "../../../test/encode-accounts.ts";

const nft = key(1);
const assets = derivedAssets(1_000);
const { apply, documentOf } = assets;

describe("print numbers", () => {
  test("a master shows its own, unlimited as null, and zeros while its account is unknown", async () => {
    await apply(mint(nft, 1), metadata(1, { mint: nft }));
    expect(await documentOf(nft)).toHaveProperty("supply", {
      print_max_supply: 0,
      print_current_supply: 0,
      edition_nonce: expect.any(Number) as unknown,
    });
    await apply(masterEdition(nft, 2, 3n, null));
    expect(await documentOf(nft)).toMatchObject({
      supply: { print_max_supply: null, print_current_supply: 3 },
    });
    await apply(masterEdition(nft, 3, 2n ** 64n - 1n, 2n ** 64n - 1n));
    expect((await assets.store.findAsset(encodeAddress(nft)))?.document).toContain(
      '"print_max_supply":18446744073709551615,"print_current_supply":18446744073709551615',
    );
  });

  const master = editionAddress(nft, null);
  const pieces = (nonce?: null) => [
    print(key(2), 4, master, 7n),
    metadata(4, { mint: key(2), standard: 3, ...(nonce === undefined ? {} : { nonce }) }),
    mint(key(2), 4),
  ];

  test.each([pieces(), pieces().toReversed(), pieces(null), pieces(null).toReversed()])(
    "a print is listed under its master once its mint can be named",
    async (...accounts) => {
      for (const one of accounts) await apply(one);
      const editions = await assets.store.listEditions(encodeAddress(master));
      expect(editions.map(({ number, mint: of }) => [number, encodeAddress(of)])).toEqual([
        [7n, encodeAddress(key(2))],
      ]);
      expect(await documentOf(key(2))).toMatchObject({
        interface: "V1_NFT",
        supply: { print_max_supply: 0, print_current_supply: 0, edition_number: 7 },
      });
    },
  );

  test("prints that are moved and closed end in the same lists, in any order", async () => {
    const other = editionAddress(key(5), null);
    const numbers = [1n, 2n ** 63n, 2n ** 64n - 1n];
    const history = [key(2), key(3), key(4)].flatMap((of, index) => {
      const made = print(of, 4 + index, master, numbers[index] as bigint);
      const name = metadata(3, { mint: of, standard: 3, ...(index === 0 ? { nonce: null } : {}) });
      const ends = [closedAt(made, 9), print(of, 10, other, 8n)];
      return [made, name, ...ends.slice(0, index)];
    });
    const lists = async (): Promise<readonly unknown[]> => [
      await assets.store.listEditions(encodeAddress(master)),
      await assets.store.listEditions(encodeAddress(other)),
    ];
    await apply(...history);
    const expected = await lists();
    expect(expected).toMatchObject([[{ number: 1n, mint: key(2) }], [{ number: 8n, mint: key(4) }]]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(history, { minLength: history.length }), async (order) => {
        await assets.startAgain();
        for (const one of order) await apply(one);
        expect(await lists()).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });

  test("a print without its mint account is listed, and goes when its account is closed", async () => {
    await apply(print(key(2), 4, master, 7n), metadata(4, { mint: key(2) }));
    expect(await assets.store.listEditions(encodeAddress(master))).toHaveLength(1);
    expect(await documentOf(key(2))).toBeNull();
    await apply(closedAt(print(key(2), 4, master, 7n), 9));
    expect(await assets.store.listEditions(encodeAddress(master))).toHaveLength(0);
  });

  test("a fungible's metadata names no edition", async () => {
    await apply(
      mint(nft, 1, { supply: 9n }),
      metadata(1, { mint: nft, standard: 2 }),
      masterEdition(nft, 1, 1n, 1n),
    );
    expect(await documentOf(nft)).toMatchObject({ interface: "FungibleToken" });
  });
});
