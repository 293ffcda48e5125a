import { beforeAll, describe, expect, test } from "vitest";
import {
  decodeEditionAccount,
  decodeMetadata,
  decodeMint,
  decodeTokenAccount,
  editionAddress,
  encodeAddress,
  metadataAddress,
} from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { demoAddresses, demoChain } from "./demo-chain.ts";

const state = new Map<string, Account>();
beforeAll(() => {
  for (const { accounts } of demoChain()) {
    for (const account of accounts) state.set(encodeAddress(account.address), account);
  }
});

const dataOf = (address: string): Uint8Array => {
  const account = state.get(address);
  if (account === undefined) throw new Error(`${address} is not on the demo chain`);
  return account.data;
};
const keyOf = (address: string): Uint8Array => state.get(address)?.address ?? new Uint8Array(32);

describe("demoAddresses", () => {
  test("are on the chain, but for the missing one and the delegates' own accounts", () => {
    const absent = Object.entries(demoAddresses).filter(([, address]) => !state.has(address));
    expect(absent.map(([name]) => name).toSorted()).toEqual(["delegate", "missing", "nftCreator"]);
  });

  test("name a mint with metadata and a delegated holding of it", () => {
    expect(decodeMint(dataOf(demoAddresses.mint))).toMatchObject({ decimals: 6 });
    const holding = decodeTokenAccount(dataOf(demoAddresses.tokenAccount));
    expect(encodeAddress(holding?.mint ?? new Uint8Array(32))).toBe(demoAddresses.mint);
    expect(encodeAddress(holding?.delegate ?? new Uint8Array(32))).toBe(demoAddresses.delegate);
    const metadata = metadataAddress(keyOf(demoAddresses.mint));
    expect(decodeMetadata(dataOf(encodeAddress(metadata)))).toMatchObject({ name: "Wick", symbol: "WICK" });
  });

  test("name an NFT in a collection that confirmed it, at the addresses programs derive", () => {
    const mint = keyOf(demoAddresses.nft);
    const metadata = decodeMetadata(dataOf(encodeAddress(metadataAddress(mint))));
    expect(metadata).toMatchObject({ name: "Lantern #0", collection: { verified: true } });
    expect(encodeAddress(metadata?.collection?.address ?? new Uint8Array(32))).toBe(demoAddresses.collection);
    expect(editionAddress(mint, metadata?.editionNonce ?? null)).toEqual(editionAddress(mint, null));
    expect(decodeEditionAccount(dataOf(encodeAddress(editionAddress(mint, null))))?.kind).toBe(
      "masterEdition",
    );
  });

  test("name a master edition and its first print", () => {
    const parent = editionAddress(keyOf(demoAddresses.masterEditionMint), null);
    expect(decodeEditionAccount(dataOf(encodeAddress(parent)))).toMatchObject({
      supply: 23n,
      maxSupply: 34n,
    });
    const print = decodeEditionAccount(
      dataOf(encodeAddress(editionAddress(keyOf(demoAddresses.printMint), null))),
    );
    expect(print).toMatchObject({ number: 1n, parent });
  });

  test("name a burnt NFT: no supply, no metadata", () => {
    expect(decodeMint(dataOf(demoAddresses.burntNft))).toMatchObject({ supply: 0n });
    const metadata = metadataAddress(keyOf(demoAddresses.burntNft));
    expect(dataOf(encodeAddress(metadata))).toEqual(Uint8Array.of(0));
  });
});
