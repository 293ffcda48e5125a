import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import {
  account,
  at,
  closedAt,
  coreAsset,
  emptiedAt,
  key,
  masterEdition,
  metadata,
  mint,
  tokenAccount,
} from "../../../test/encode-accounts.ts";
import { deriveInBulk } from "../../../test/derive-in-bulk.ts";
import { derivedAssets } from "../../../test/derived-assets.ts";

const nft = key(1);
const alice = key(50);
const bob = key(51);
const assets = derivedAssets(1_000);
const { apply, documentOf, extrasOf, factsOf } = assets;

describe("the owner of an NFT", () => {
  test("is the one of the funded token account, however many empty ones are newer", async () => {
    await apply(
      mint(nft, 1),
      metadata(1, { mint: nft }),
      tokenAccount(key(10), 5, { mint: nft, owner: alice }),
      tokenAccount(key(11), 9, { mint: nft, owner: bob, amount: 0n }),
    );
    expect(await documentOf(nft)).toMatchObject({
      ownership: { owner: encodeAddress(alice), ownership_model: "single" },
    });
  });

  test("is the newest while both ends of a transfer claim to be funded, and moves on when one gives up", async () => {
    const from = tokenAccount(key(11), 5, { mint: nft, owner: alice });
    const to = tokenAccount(key(10), 6, { mint: nft, owner: bob, frozen: true, delegate: key(60) });
    await apply(mint(nft, 1), from, to);
    expect(await documentOf(nft)).toMatchObject({
      ownership: {
        owner: encodeAddress(bob),
        frozen: true,
        delegated: true,
        delegate: encodeAddress(key(60)),
      },
    });
    await apply(closedAt(to, 7));
    expect(await documentOf(nft)).toMatchObject({
      ownership: { owner: encodeAddress(alice), delegate: null },
    });
  });

  test("is unknown without a funded account, and for fungibles", async () => {
    await apply(mint(nft, 1), mint(key(2), 1, { supply: 1n, decimals: 6 }));
    await apply(tokenAccount(key(12), 1, { mint: key(2), owner: alice }));
    expect(await documentOf(nft)).toMatchObject({ ownership: { owner: "", delegate: null } });
    expect(await documentOf(key(2))).toMatchObject({ ownership: { owner: "", ownership_model: "token" } });
  });
});

describe("the interface", () => {
  const standards = [
    [0, "V1_NFT"],
    [1, "FungibleAsset"],
    [2, "FungibleToken"],
    [3, "V1_NFT"],
    [4, "ProgrammableNFT"],
    [5, "ProgrammableNFT"],
  ] as const;
  test.each(standards)("token standard %i is %s", async (standard, expected) => {
    await apply(mint(nft, 1), metadata(1, { mint: nft, standard }));
    expect(await documentOf(nft)).toMatchObject({ interface: expected });
  });

  test("without a standard: one unit is Custom until an edition account is known, then V1_NFT", async () => {
    await apply(mint(nft, 1), metadata(1, { mint: nft, standard: null }));
    expect(await documentOf(nft)).toMatchObject({ interface: "Custom" });
    await apply(masterEdition(nft, 2, 0n, 0n));
    expect(await documentOf(nft)).toMatchObject({ interface: "V1_NFT" });
  });

  test("a mint without metadata is an asset with empty content", async () => {
    await apply(mint(nft, 1), mint(key(2), 1, { supply: 5n }), mint(key(3), 1, { extensions: [] }));
    expect(await documentOf(nft)).toMatchObject({
      interface: "Custom",
      content: { json_uri: "", metadata: { name: "", symbol: "" } },
      authorities: [],
    });
    expect(await documentOf(key(2))).toMatchObject({ interface: "FungibleToken" });
    expect(await documentOf(key(2))).not.toHaveProperty("supply");
    expect(await documentOf(key(3))).toMatchObject({
      interface: "V1_NFT",
      ownership: { ownership_model: "single" },
    });
  });

  test("an address that was a mint's is what lives there now, regardless of what metadata is left of the mint", async () => {
    const life = mint(nft, 1, { extensions: [] });
    const asset = coreAsset(nft, 5, alice, key(90));
    for (const order of [
      [life, metadata(1, { mint: nft }), closedAt(life, 4), asset],
      [asset, metadata(1, { mint: nft })],
    ]) {
      for (const one of order) await apply(one);
      expect(await documentOf(nft)).toMatchObject({
        interface: "MplCoreAsset",
        burnt: false,
        ownership: { owner: encodeAddress(alice) },
      });
      await assets.startAgain();
    }
  });

  test("what lies at a mint's address but belongs to another program is no mint", async () => {
    await apply(account(nft, key(77), [...mint(nft, 1).data], 1));
    expect(await documentOf(nft)).toBeNull();
  });
});

describe("a burnt asset", () => {
  const whole = [
    mint(nft, 1),
    metadata(1, { mint: nft, standard: null, creators: [[alice, true, 100]] }),
    masterEdition(nft, 1, 2n, 10n),
    tokenAccount(key(10), 1, { mint: nft, owner: alice }),
  ];
  const [, name, edition, holder] = whole as [Account, Account, Account, Account];
  const end = [mint(nft, 9, { supply: 0n }), emptiedAt(name, 9), closedAt(edition, 9), closedAt(holder, 9)];

  test.each(
    [[...whole, ...end], [...end, ...whole], [...whole, ...end].toReversed()].map((order) => [order]),
  )("stays readable with its name and numbers, in any order of arrival", async (order) => {
    for (const one of order) await apply(one);
    expect(await documentOf(nft)).toMatchObject({
      interface: "V1_NFT",
      burnt: true,
      content: { metadata: { name: "Name" } },
      creators: [{ address: encodeAddress(alice), verified: true, share: 100 }],
      supply: { print_max_supply: 10, print_current_supply: 2 },
      ownership: { owner: "", ownership_model: "single" },
    });
    expect(await factsOf(nft)).toMatchObject({ burnt: true, supply: 0n, createdSlot: 1, updatedSlot: 9 });
  });

  test("one that was burnt by itself stays what it was, one without metadata that can be minted is none", async () => {
    const extensions: [] = [];
    const alive = [
      mint(nft, 1, { extensions }),
      mint(key(2), 1),
      metadata(1, { mint: key(2), standard: null }),
    ];
    const ends = [mint(nft, 9, { supply: 0n, extensions }), mint(key(2), 9, { supply: 0n })];
    await apply(...alive);
    const before = [await documentOf(nft), await documentOf(key(2))];
    expect(before).toMatchObject([{ interface: "V1_NFT" }, { interface: "Custom" }]);
    await apply(...ends);
    const after = [await documentOf(nft), await documentOf(key(2))];
    expect(after).toEqual(before.map((document) => ({ ...(document as object), burnt: true })));
    await apply(mint(key(3), 1, { supply: 0n, extensions, mintAuthority: alice }));
    expect(await documentOf(key(3))).toMatchObject({ interface: "FungibleToken", burnt: false });
  });

  test("a closed mint is burnt, and no longer when it lives again", async () => {
    const fungible = mint(key(2), 1, { supply: 0n, decimals: 6, extensions: [] });
    await apply(fungible);
    expect(await documentOf(key(2))).toMatchObject({ burnt: false });
    await apply(closedAt(fungible, 5));
    expect(await documentOf(key(2))).toMatchObject({ burnt: true, interface: "FungibleToken" });
    await apply(at(fungible, 6));
    expect(await documentOf(key(2))).toMatchObject({ burnt: false });
  });

  test("a fungible without supply is not burnt", async () => {
    await apply(mint(nft, 1, { supply: 0n, decimals: 9 }));
    expect(await documentOf(nft)).toMatchObject({ burnt: false });
  });
});

describe("what metadata says", () => {
  const collection = { verified: false, address: key(70) };

  test("an unverified collection is kept out of the document and in the extras", async () => {
    await apply(mint(nft, 1), metadata(1, { mint: nft, collection }));
    expect(await documentOf(nft)).toMatchObject({ grouping: [] });
    expect(await extrasOf(nft)).toMatchObject({
      grouping: [{ group_key: "collection", group_value: encodeAddress(key(70)), verified: false }],
    });
    await apply(metadata(2, { mint: nft, collection: { ...collection, verified: true } }));
    expect(await documentOf(nft)).toMatchObject({
      grouping: [{ group_key: "collection", group_value: encodeAddress(key(70)) }],
    });
    expect(await extrasOf(nft)).not.toHaveProperty("grouping");
  });

  test("a collection and creators that disappear there disappear here", async () => {
    await apply(
      mint(nft, 1),
      metadata(1, {
        mint: nft,
        collection,
        creators: [
          [alice, true, 60],
          [bob, false, 40],
        ],
      }),
    );
    await apply(metadata(2, { mint: nft, creators: [[bob, true, 100]] }));
    expect(await documentOf(nft)).toMatchObject({
      creators: [{ address: encodeAddress(bob), share: 100, verified: true }],
      grouping: [],
    });
    expect(await factsOf(nft)).toMatchObject({ groups: [] });
  });

  test("uses are written with every digit and in lower case; the URI is trimmed, the name is not", async () => {
    const uses = { method: 1, remaining: 2n ** 64n - 1n, total: 2n ** 64n - 1n };
    await apply(mint(nft, 1), metadata(1, { mint: nft, name: " N\0ame ", uri: " https://a.b/c \0\0", uses }));
    const text = (await assets.store.findAsset(encodeAddress(nft)))?.document;
    expect(text).toContain(
      '"uses":{"use_method":"multiple","remaining":18446744073709551615,"total":18446744073709551615}',
    );
    expect(text).toContain('"name":" Name "');
    expect(text).toContain('"json_uri":"https://a.b/c"');
    expect(text).toContain('"percent":0.055,"basis_points":550');
  });
});

const text = (value: string): number[] => [value.length, 0, 0, 0, ...new TextEncoder().encode(value)];
const own = (authority: Uint8Array): [number, number[]] => [
  19,
  [...authority, ...nft, ...text("Own"), ...text("O"), ...text("u://own"), 0, 0, 0, 0],
];
const pointer = (to: Uint8Array): [number, number[]] => [18, [...key(0), ...to]];

describe("metadata inside a Token-2022 mint", () => {
  test("counts when the pointer leads to the mint itself, before a Token Metadata account", async () => {
    await apply(mint(nft, 1, { extensions: [pointer(nft), own(alice)] }), metadata(5, { mint: nft }));
    expect(await documentOf(nft)).toMatchObject({
      content: { json_uri: "u://own", metadata: { name: "Own", symbol: "O", token_standard: "NonFungible" } },
      royalty: { basis_points: 550 },
    });
  });

  test("does not count without a pointer, nor when it leads elsewhere", async () => {
    await apply(mint(nft, 1, { extensions: [own(alice)] }));
    expect(await documentOf(nft)).toMatchObject({ content: { metadata: { name: "" } } });
    await apply(mint(nft, 2, { extensions: [pointer(key(99)), own(alice)] }), metadata(5, { mint: nft }));
    expect(await documentOf(nft)).toMatchObject({ content: { metadata: { name: "Name" } } });
  });

  test("is immutable without an update authority", async () => {
    await apply(mint(nft, 1, { extensions: [pointer(nft), own(key(0))] }));
    expect(await documentOf(nft)).toMatchObject({ mutable: false, authorities: [] });
    await apply(mint(nft, 2, { extensions: [pointer(nft), own(alice)] }));
    expect(await documentOf(nft)).toMatchObject({ mutable: true });
  });
});

describe("slots", () => {
  test("created is the lowest slot ever received, stale versions and edition accounts included", async () => {
    await apply(mint(nft, 50), metadata(60, { mint: nft }));
    expect(await factsOf(nft)).toMatchObject({ createdSlot: 50, updatedSlot: 60 });
    await apply(metadata(40, { mint: nft, name: "Older" }));
    expect(await factsOf(nft)).toMatchObject({ createdSlot: 40, updatedSlot: 60, name: "Name" });
    await apply(masterEdition(nft, 70, 0n, null));
    await apply(masterEdition(nft, 30, 0n, null));
    expect(await factsOf(nft)).toMatchObject({ createdSlot: 30, updatedSlot: 70 });
  });

  test("created of a fungible is the same regardless of who holds it, one raw unit included", async () => {
    const points = [mint(nft, 50, { supply: 9n, decimals: 6 }), metadata(60, { mint: nft, standard: 2 })];
    const holders = [1n, 2n].map((amount, index) =>
      tokenAccount(key(10 + index), 30, { mint: nft, owner: alice, amount }),
    );
    await apply(...points, ...holders);
    expect(await factsOf(nft)).toMatchObject({ createdSlot: 50, updatedSlot: 60 });
    expect(deriveInBulk([...points, ...holders])[0]).toMatchObject({ createdSlot: 50, updatedSlot: 60 });
  });
});
