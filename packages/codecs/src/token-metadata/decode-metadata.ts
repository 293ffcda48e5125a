import { ByteCursor } from "../bytes/byte-cursor.ts";
import { metadataAccountKeys } from "./account-keys.ts";
import { metadataText } from "./metadata-text.ts";

/** The index is their code on chain. */
export const tokenStandards = [
  "NonFungible",
  "FungibleAsset",
  "Fungible",
  "NonFungibleEdition",
  "ProgrammableNonFungible",
  "ProgrammableNonFungibleEdition",
] as const;
export type TokenStandard = (typeof tokenStandards)[number];

export const useMethods = ["burn", "multiple", "single"] as const;
export type UseMethod = (typeof useMethods)[number];

export interface MetadataCreator {
  readonly address: Uint8Array;
  readonly verified: boolean;
  /** Percent as stored, 0 to 255. */
  readonly share: number;
}

/** Name, creators and the rest of what the Token Metadata program says about a mint. Keys are views into the account's data. */
export interface Metadata {
  readonly updateAuthority: Uint8Array;
  readonly mint: Uint8Array;
  /** Texts come without NULs, not trimmed. */
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly sellerFeeBasisPoints: number;
  /** Null = none stored, as opposed to an empty list. */
  readonly creators: readonly MetadataCreator[] | null;
  readonly primarySaleHappened: boolean;
  readonly isMutable: boolean;
  /** Bump of the edition address; null in very old accounts. */
  readonly editionNonce: number | null;
  readonly tokenStandard: TokenStandard | null;
  readonly collection: { readonly verified: boolean; readonly address: Uint8Array } | null;
  readonly uses: { readonly method: UseMethod; readonly remaining: bigint; readonly total: bigint } | null;
  /** Set on collection parents. V2 counts its members elsewhere. */
  readonly collectionDetails: { readonly version: 1; readonly size: bigint } | { readonly version: 2 } | null;
  readonly programmableConfig: { readonly ruleSet: Uint8Array | null } | null;
}

const CREATOR_BYTES = 34;

/**
 * A Metadata account; null for another kind, for what is left of a closed one, and when anything up to `isMutable` or
 * the edition nonce does not decode.
 *
 * Years ago creators were written over what later became the fields behind the nonce. Like the program itself: when
 * one of token standard, collection and uses does not decode (or is not there any more), all three are none; collection
 * details and programmable config each fall alone.
 */
export const decodeMetadata = (data: Uint8Array): Metadata | null => {
  if (data[0] !== metadataAccountKeys.metadata) return null;
  const cursor = new ByteCursor(data, 1);
  const base = readBase(cursor);
  const editionNonce = cursor.remaining === 0 ? null : cursor.option((from) => from.u8());
  if (cursor.failed) return null;
  return { ...base, editionNonce, ...readLaterFields(cursor) };
};

const readBase = (cursor: ByteCursor) => ({
  updateAuthority: cursor.key(),
  mint: cursor.key(),
  name: readText(cursor),
  symbol: readText(cursor),
  uri: readText(cursor),
  sellerFeeBasisPoints: cursor.u16(),
  creators: cursor.option(readCreators),
  primarySaleHappened: cursor.strictBool(),
  isMutable: cursor.strictBool(),
});

const readText = (cursor: ByteCursor): string => metadataText(cursor.bytes(cursor.u32()));

const readCreators = (cursor: ByteCursor): MetadataCreator[] => {
  const count = cursor.u32();
  const creators: MetadataCreator[] = [];
  if (!cursor.hasItems(count, CREATOR_BYTES)) return creators;
  for (let index = 0; index < count; index += 1) {
    creators.push({ address: cursor.key(), verified: cursor.strictBool(), share: cursor.u8() });
  }
  return creators;
};

const readLaterFields = (cursor: ByteCursor) => {
  const tokenStandard = attempt(cursor, () => cursor.option(readTokenStandard));
  const collection = attempt(cursor, () => cursor.option(readCollection));
  const uses = attempt(cursor, () => cursor.option(readUses));
  const collectionDetails = attempt(cursor, () => cursor.option(readCollectionDetails));
  const programmableConfig = attempt(cursor, () => cursor.option(readProgrammableConfig));
  const sound = tokenStandard !== undefined && collection !== undefined && uses !== undefined;
  return {
    tokenStandard: sound ? tokenStandard : null,
    collection: sound ? collection : null,
    uses: sound ? uses : null,
    collectionDetails: collectionDetails ?? null,
    programmableConfig: programmableConfig ?? null,
  };
};

/** Reads from the current position. Undefined when the bytes do not decode, or end. */
const attempt = <T>(cursor: ByteCursor, read: () => T): T | undefined => {
  cursor.failed = false;
  const value = read();
  return cursor.failed ? undefined : value;
};

const readTokenStandard = (cursor: ByteCursor): TokenStandard => pick(cursor, tokenStandards);

const readCollection = (cursor: ByteCursor) => ({ verified: cursor.strictBool(), address: cursor.key() });

const readUses = (cursor: ByteCursor) => ({
  method: pick(cursor, useMethods),
  remaining: cursor.u64(),
  total: cursor.u64(),
});

const readCollectionDetails = (cursor: ByteCursor): Exclude<Metadata["collectionDetails"], null> => {
  if (pick(cursor, [1, 2] as const) === 1) return { version: 1, size: cursor.u64() };
  cursor.bytes(8);
  return { version: 2 };
};

const readProgrammableConfig = (cursor: ByteCursor) => {
  pick(cursor, ["v1"]);
  return { ruleSet: cursor.option((from) => from.key()) };
};

/** One of the choices by its code; fails the cursor when there is none. */
const pick = <T>(cursor: ByteCursor, choices: readonly [T, ...T[]]): T => {
  const choice = choices[cursor.u8()];
  if (choice === undefined) cursor.failed = true;
  return choice ?? choices[0];
};
