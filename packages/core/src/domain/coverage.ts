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
    };

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
