import { describe, expect, test } from "vitest";
import type { BubblegumInstruction, InstructionArguments } from "./decode-instruction.ts";
import { type InstructionShape, instructionShapes } from "./instruction-table.ts";
import type { LeafMetadata } from "./metadata-args.ts";
import { nextMetadata } from "./next-metadata.ts";

const key = (value: number): Uint8Array => new Uint8Array(32).fill(value);

const metadata: LeafMetadata = {
  version: 1,
  name: "name",
  symbol: "S",
  uri: "uri",
  basisPoints: 500,
  primarySaleHappened: false,
  mutable: true,
  tokenStandard: 0,
  creators: [
    { address: key(1), verified: false, share: 40 },
    { address: key(2), verified: true, share: 60 },
  ],
  collection: { address: key(3), verified: false },
  editionNonce: null,
  uses: null,
  tokenProgramVersion: 0,
  encoded: key(9),
};

const noArguments: InstructionArguments = {
  nonce: null,
  leafIndex: null,
  dataHash: null,
  creatorHash: null,
  collectionHash: null,
  assetDataHash: null,
  flags: null,
  metadata,
  update: null,
  collection: null,
  assetData: null,
};

const after = (
  isShape: (shape: InstructionShape) => boolean,
  subject: Uint8Array | null = null,
  more: Partial<InstructionArguments> = {},
): LeafMetadata | null => {
  const shape = instructionShapes.find(isShape);
  if (shape === undefined) throw new Error("no such instruction");
  const instruction: BubblegumInstruction = {
    shape,
    owner: null,
    delegate: null,
    subject,
    collection: null,
    arguments: { ...noArguments, ...more },
  };
  return nextMetadata(instruction);
};

const verified = (effect: string, subject: Uint8Array | null): unknown =>
  after((shape) => shape.effect === effect, subject)?.creators.map((creator) => creator.verified);

const set = (leafVersion: number) => (shape: InstructionShape) =>
  shape.effect === "setCollection" && shape.leafVersion === leafVersion;

describe("nextMetadata", () => {
  test("of an instruction without metadata is null, and of one that changes none is the same", () => {
    expect(after(({ effect }) => effect === "verifyCreator", key(1), { metadata: null })).toBeNull();
    expect(after(({ effect, subject }) => effect === "mint" && subject === null)).toBe(metadata);
  });

  test("verifies and unverifies only the creator that is named", () => {
    expect(verified("verifyCreator", key(1))).toEqual([true, true]);
    expect(verified("unverifyCreator", key(2))).toEqual([false, false]);
    expect(verified("verifyCreator", key(7))).toEqual([false, true]);
    expect(verified("unverifyCreator", null)).toEqual([false, true]);
  });

  test("verifies and unverifies the collection, also when minting into it", () => {
    const collection = { address: key(3), verified: true };
    expect(after(({ effect }) => effect === "verifyCollection")).toMatchObject({ collection });
    expect(after(({ effect, subject }) => effect === "mint" && subject !== null)).toMatchObject({
      collection,
    });
    expect(
      after(({ effect }) => effect === "unverifyCollection", null, {
        metadata: { ...metadata, collection },
      }),
    ).toMatchObject({ collection: { address: key(3), verified: false } });
    const none = { metadata: { ...metadata, collection: null } };
    expect(after(({ effect }) => effect === "verifyCollection", null, none)?.collection).toBeNull();
  });

  test("takes the collection to set from the arguments in version 1, from an account in version 2", () => {
    expect(after(set(1), key(5), { collection: key(4) })?.collection).toEqual({
      address: key(4),
      verified: true,
    });
    expect(after(set(2), key(5), { collection: key(4) })?.collection).toEqual({
      address: key(5),
      verified: true,
    });
    expect(after(set(2))?.collection).toBeNull();
  });

  test("replaces what an update names and keeps the rest", () => {
    const update = {
      name: "new",
      symbol: null,
      uri: "",
      creators: [],
      basisPoints: 0,
      primarySaleHappened: true,
      mutable: null,
    };
    expect(after(({ effect }) => effect === "updateMetadata", null, { update })).toEqual({
      ...metadata,
      name: "new",
      uri: "",
      creators: [],
      basisPoints: 0,
      primarySaleHappened: true,
      encoded: undefined,
    });
  });

  test("forgets the bytes it was read from once anything is changed", () => {
    expect(after(({ effect }) => effect === "verifyCreator", key(1))?.encoded).toBeUndefined();
    expect(after(({ effect }) => effect === "verifyCollection")?.encoded).toBeUndefined();
  });
});
