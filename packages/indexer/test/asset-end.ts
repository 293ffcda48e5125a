import type { Account, Transaction } from "@lamplight/core";
import { key, tokenAccount } from "./encode-accounts.ts";

/** Slots in which assets live and end. */
export const LIFE = 11;
export const END = 12;

export const alice = key(50);
export const author = key(51);
/** The asset of every end that names no other. */
export const id: Uint8Array = key(1);

export interface Step {
  readonly accounts?: readonly Account[];
  readonly transactions?: readonly Transaction[];
}

export interface Shown {
  readonly interface: string;
  readonly burnt: boolean;
  readonly name: string;
  /** "" = no one. */
  readonly owner: string;
}

export interface AssetEnd {
  readonly what: string;
  readonly id?: Uint8Array;
  readonly life: Step;
  readonly end: Step;
  /** The answer of a store that has seen the asset alive. */
  readonly followed: Shown | null;
  /** The answer of a store that has seen only what is left. */
  readonly fresh: Shown | null;
}

/** Most ends show this of an asset that is burnt, and of a fungible token that is not. */
export const nobody = { burnt: true, owner: "" };
export const alive = { interface: "FungibleToken", burnt: false, owner: "" };

export const holder = tokenAccount(key(10), LIFE, { mint: id, owner: alice });
