import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAddress } from "../base58/decode-address.ts";
import { encodeAddress } from "../base58/encode-base58.ts";
import { decodeEditionAccount } from "./decode-edition.ts";
import { decodeMetadata, type Metadata, tokenStandards } from "./decode-metadata.ts";
import { editionAddress, isEditionAddress, metadataAddress } from "./metadata-addresses.ts";

const shared = process.env.LAMPLIGHT_SHARED ?? resolve(import.meta.dirname, "../../../../../shared");
const here = ["das-cases", "fixtures/expected/accounts.json"].every((path) =>
  existsSync(resolve(shared, path)),
);
if (!here) console.warn(`skipped: no shared data in ${shared}`);
const read = (path: string) => JSON.parse(readFileSync(resolve(shared, path), "utf8"));
const base64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));

interface ExpectedAccount {
  readonly address: string;
  readonly from: string;
  readonly kind: string;
  readonly size: number;
  readonly decoded: Record<string, unknown>;
}

const address = (bytes: Uint8Array | null): string | null => (bytes === null ? null : encodeAddress(bytes));

/** The form of the expected decodes. */
const plain = (metadata: Metadata) => ({
  ...metadata,
  updateAuthority: address(metadata.updateAuthority),
  mint: address(metadata.mint),
  creators: metadata.creators?.map((creator) => ({ ...creator, address: address(creator.address) })) ?? null,
  tokenStandard: metadata.tokenStandard === null ? null : tokenStandards.indexOf(metadata.tokenStandard),
  collection: metadata.collection && {
    verified: metadata.collection.verified,
    key: address(metadata.collection.address),
  },
  programmableConfig: metadata.programmableConfig && {
    ruleSet: address(metadata.programmableConfig.ruleSet),
  },
});

/** Data of every dumped version, by address. */
const dumps = (): Map<string, Uint8Array[]> => {
  const found = new Map<string, Uint8Array[]>();
  for (const file of readdirSync(resolve(shared, "das-cases"), { recursive: true, encoding: "utf8" })) {
    if (!/\/accounts\/[^/]+\.json$/.test(file)) continue;
    const { pubkey, data } = read(`das-cases/${file}`);
    found.set(pubkey, [...(found.get(pubkey) ?? []), base64(data)]);
  }
  return found;
};

describe.skipIf(!here)("accounts of the cases", () => {
  const accounts = here ? dumps() : new Map<string, Uint8Array[]>();
  const expected = here ? (read("fixtures/expected/accounts.json") as ExpectedAccount[]) : [];
  /** Every version of that length: one of them is the one that was decoded. */
  const decodedVersions = <T>(one: ExpectedAccount, decode: (data: Uint8Array) => T): T[] =>
    (accounts.get(one.address) ?? []).filter((data) => data.length === one.size).map(decode);

  test.each(expected.filter(({ kind }) => kind === "tm-metadata"))("metadata $address", (one) => {
    const versions = decodedVersions(one, (data) => {
      const metadata = decodeMetadata(data) as Metadata;
      expect(encodeAddress(metadataAddress(metadata.mint))).toBe(one.address);
      return { ...plain(metadata), collectionDetails: metadata.collectionDetails === null };
    });
    const { bytesUsed: _, collectionDetails, ...decoded } = one.decoded;
    expect(versions).toContainEqual({ ...decoded, collectionDetails: collectionDetails === null });
  });

  test.each(expected.filter(({ kind }) => kind === "tm-master"))("master edition $address", (one) => {
    expect(decodedVersions(one, decodeEditionAccount)).toContainEqual({
      kind: "masterEdition",
      version: 2,
      supply: BigInt(one.decoded["supply"] as string),
      maxSupply: one.decoded["max"] === null ? null : BigInt(one.decoded["max"] as string),
      printing: null,
    });
  });

  test.each(expected.filter(({ kind }) => kind === "tm-edition"))("edition $address", (one) => {
    expect(decodedVersions(one, decodeEditionAccount)).toContainEqual({
      kind: "edition",
      parent: decodeAddress(one.decoded["parent"] as string),
      number: BigInt(one.decoded["edition"] as string),
    });
  });

  test("the edition nonce gives the address that a search finds", () => {
    let compared = 0;
    for (const metadata of [...accounts.values()].flat().map(decodeMetadata)) {
      if (metadata === null || metadata.editionNonce === null) continue;
      compared += 1;
      expect(editionAddress(metadata.mint, metadata.editionNonce)).toEqual(
        editionAddress(metadata.mint, null),
      );
    }
    expect(compared).toBeGreaterThan(20);
  });
});

describe.skipIf(!here)("corrupted metadata", () => {
  const corrupted = here
    ? (read("fixtures/token-metadata/corrupted-metadata.json") as { data: string[] }[])
    : [];
  const decoded = corrupted.map(({ data }) => decodeMetadata(base64(data[0] as string)));

  test("keeps what is before the damage", () => {
    expect(decoded[0]).toMatchObject({
      name: "Pesky Penguins #8060",
      symbol: "NOOT",
      sellerFeeBasisPoints: 500,
      primarySaleHappened: true,
      isMutable: true,
      editionNonce: 255,
    });
    expect(decoded[0]?.creators?.length).toBe(3);
    expect(decoded[1]).toMatchObject({ name: "Boryoku Dragonz #515", symbol: "BORYOKU", editionNonce: 255 });
  });

  test("takes the fields behind it as none", () => {
    for (const metadata of decoded) {
      expect(metadata).toMatchObject({
        tokenStandard: null,
        collection: null,
        uses: null,
        collectionDetails: null,
        programmableConfig: null,
      });
    }
  });
});

const text = (value: string | Uint8Array, padded: number): number[] => {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return [padded, 0, 0, 0, ...bytes, ...Array.from({ length: padded - bytes.length }, () => 0)];
};
const key = (byte: number): number[] => Array.from({ length: 32 }, () => byte);
/** 10 percent, no creators, sold, mutable. */
const afterUri = [232, 3, 0, 1, 1];
const u64 = (value: number): number[] => [value, 0, 0, 0, 0, 0, 0, 0];
const base = (name: string | Uint8Array = "A"): number[] => [
  4,
  ...key(1),
  ...key(2),
  ...text(name, 32),
  ...text("B", 10),
  ...text("c://d ", 200),
  ...afterUri,
];

describe("decodeMetadata", () => {
  test("reads an account that ends after isMutable or after the nonce", () => {
    expect(decodeMetadata(Uint8Array.from(base()))).toMatchObject({
      sellerFeeBasisPoints: 1000,
      editionNonce: null,
    });
    expect(decodeMetadata(Uint8Array.from([...base(), 1, 254]))).toMatchObject({
      editionNonce: 254,
      tokenStandard: null,
      collection: null,
      uses: null,
    });
  });

  test("takes standard, collection and uses as none where the account ends within them, as the program does", () => {
    const nonce = [1, 254];
    const fields = [
      [1, 4],
      [1, 1, ...key(7)],
      [1, 2, ...u64(1), ...u64(1)],
    ];
    const whole = [...base(), ...nonce, ...fields.flat()];
    expect(decodeMetadata(Uint8Array.from(whole))).toMatchObject({
      tokenStandard: "ProgrammableNonFungible",
      collection: { verified: true },
      uses: { method: "single" },
      collectionDetails: null,
      programmableConfig: null,
    });
    for (let length = base().length + nonce.length; length < whole.length; length += 1) {
      expect(decodeMetadata(Uint8Array.from(whole.slice(0, length)))).toMatchObject({
        editionNonce: 254,
        tokenStandard: null,
        collection: null,
        uses: null,
      });
    }
  });

  test("removes NULs, keeps spaces, replaces what is not UTF-8", () => {
    const metadata = decodeMetadata(Uint8Array.from(base(Uint8Array.of(0x41, 0, 0xff, 0x42))));
    expect(metadata?.name).toBe("A\uFFFDB");
    expect(metadata?.uri).toBe("c://d ");
  });

  test("refuses a creators count of four billion without reading them", () => {
    const hostile = Uint8Array.from([...base().slice(0, -3), 1, 255, 255, 255, 255, ...key(9), 1, 100]);
    expect(decodeMetadata(hostile)).toBeNull();
  });

  test("one bad tag among standard, collection and uses empties all three and nothing else", () => {
    const rest = [0, 1, 0, 1, ...key(5)];
    const sound = Uint8Array.from([...base(), 1, 254, 1, 4, 1, 1, ...key(7), 0, ...rest]);
    expect(decodeMetadata(sound)).toMatchObject({
      tokenStandard: "ProgrammableNonFungible",
      collection: { verified: true },
      programmableConfig: { ruleSet: Uint8Array.from(key(5)) },
    });
    const broken = Uint8Array.from([...base(), 1, 254, 1, 99, 1, 1, ...key(7), 0, ...rest]);
    expect(decodeMetadata(broken)).toMatchObject({
      tokenStandard: null,
      collection: null,
      uses: null,
      collectionDetails: null,
      programmableConfig: { ruleSet: Uint8Array.from(key(5)) },
    });
  });

  test("what is left of a closed account is no metadata", () => {
    expect(decodeMetadata(Uint8Array.of(0))).toBeNull();
    expect(decodeMetadata(new Uint8Array(0))).toBeNull();
    expect(decodeMetadata(Uint8Array.of(4))).toBeNull();
    expect(decodeMetadata(new Uint8Array(679))).toBeNull();
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), fc.nat({ max: 14 }), (bytes, first) => {
        const data = Uint8Array.of(first, ...bytes);
        decodeMetadata(data);
        decodeEditionAccount(data);
      }),
    );
  });
});

describe("decodeEditionAccount", () => {
  test("reads a master of 20 bytes and a print of 42", () => {
    const master = Uint8Array.from([
      6,
      3,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      ...Array.from({ length: 8 }, () => 0),
      0,
      4,
    ]);
    expect(master.length).toBe(20);
    expect(decodeEditionAccount(master)).toMatchObject({
      kind: "masterEdition",
      supply: 3n,
      maxSupply: null,
    });
    const print = Uint8Array.from([1, ...key(8), 255, 255, 255, 255, 255, 255, 255, 255, 0]);
    expect(decodeEditionAccount(print)).toMatchObject({ kind: "edition", number: 18446744073709551615n });
  });

  test("a version 1 master names its printing mints", () => {
    const master = Uint8Array.from([2, ...u64(1), 1, ...u64(9), ...key(3), ...key(4)]);
    expect(decodeEditionAccount(master)).toEqual({
      kind: "masterEdition",
      version: 1,
      supply: 1n,
      maxSupply: 9n,
      printing: { mint: Uint8Array.from(key(3)), oneTimeAuthorizationMint: Uint8Array.from(key(4)) },
    });
    expect(decodeEditionAccount(master.subarray(0, 60))).toBeNull();
  });
});

describe("isEditionAddress", () => {
  test("knows a mint's edition address and no other", () => {
    const [mint, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const edition = editionAddress(mint, null);
    expect(isEditionAddress(edition, mint)).toBe(true);
    expect(isEditionAddress(edition, other)).toBe(false);
    expect(isEditionAddress(edition.with(31, edition[31] === 0 ? 1 : 0), mint)).toBe(false);
    expect(isEditionAddress(metadataAddress(mint), mint)).toBe(false);
  });
});
