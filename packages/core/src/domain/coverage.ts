import { LamplightError } from "@lamplight/errors";
import type { Slot } from "./address.ts";

/** The extent to which a merkle tree's leaves are indexed; addresses as base58 text. */
export interface TreeCoverage {
  readonly tree: string;
  /** Highest sequence number up to which no change is missing. */
  readonly completeThroughSeq: number;
  /** Highest sequence number seen. */
  readonly highestSeq: number;
  /** Sequence number of the tree account itself, null while the account is unknown. */
  readonly accountSeq: number | null;
}

/**
 * The accounts and trees that a store holds. A request for others is refused, never answered with null or
 * a wrong total.
 */
export type Coverage =
  /** Every account of the chain, or a dump that was declared whole. */
  | { readonly kind: "whole" }
  /** Only these sets; addresses as base58 text. */
  | {
      readonly kind: "filtered";
      readonly programs: readonly string[];
      readonly owners: readonly string[];
      readonly mints: readonly string[];
      readonly collections: readonly string[];
      /** Single accounts, and trees of compressed assets, that a source follows in addition; absent = none. */
      readonly accounts?: readonly string[];
      readonly trees?: readonly string[];
      /**
       * Whether accounts of dumps are among what the store holds: each is covered for itself, and there may be too many to
       * list. A listing then answers from what is there, and says so; absent = none.
       */
      readonly dumps?: true;
      /** Every program that the followed node lists, those deployed later too; absent = the programs were named. */
      readonly everyProgram?: true;
      /** Programs that are being added, and are none of `programs` yet; absent = none. */
      readonly filling?: readonly FillingProgram[];
      /** Programs that were dropped, whose rows are being removed; absent = none. */
      readonly dropping?: readonly DroppedProgram[];
    };

/** A program that is being added to a store while it is followed. */
export interface FillingProgram {
  /** Base58 text. */
  readonly program: string;
  /** First slot from which each write of its accounts is kept; null = they are not followed yet. */
  readonly since: Slot | null;
  /** Accounts that were read elsewhere and are in the store. */
  readonly accounts: number;
  /** Accounts that there are; null = they are not counted yet. */
  readonly total: number | null;
  /** Address of the last of these accounts in the order of reading, as base58 text; absent = none is in the store. */
  readonly after?: string;
  /** Why it does not go on; null = it does. */
  readonly problem: string | null;
}

/** A program that a store no longer covers. */
export interface DroppedProgram {
  /** Base58 text. */
  readonly program: string;
  /** First slot of whose writes none is kept; null = they are followed still. */
  readonly since: Slot | null;
}

/** The coverage of a store that holds only some accounts. */
export type FilteredCoverage = Extract<Coverage, { readonly kind: "filtered" }>;

/** The finalized state every table of a store agrees on. */
export interface Watermark {
  readonly slot: Slot;
  /** Base58 text, null where the source does not carry it. */
  readonly blockhash: string | null;
}

/** The error of every read that needs the index of fungible holdings where a store was loaded without it. */
export const holdingsNotIndexed = (): LamplightError =>
  new LamplightError("STORE__NOT_COVERED", { what: "fungible holdings of owners" });

/** The error of every read of the token accounts of a mint in a store that does not keep them. */
export const holdersNotIndexed = (): LamplightError =>
  new LamplightError("STORE__NOT_COVERED", {
    what: "token accounts of a mint, without the index that lamplight index add das makes",
  });
