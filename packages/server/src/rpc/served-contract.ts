import * as contract from "@lamplight/contract";
import { ContractMethods, methodTable } from "@lamplight/core";

import type { MethodTable } from "../generated/method-table.ts";
import { findReplacement } from "./foreign-methods.ts";

/** Calls of the main contract go to this path with the key behind it. */
export const callPath = "/v3/";

/** One contract at one address. */
export interface ServedContract {
  /** Calls go to this path with the key behind it, as `/v3/`. */
  readonly path: string;
  readonly document: contract.ContractDocument;
  readonly methods: ContractMethods;
  /** The hint for a method of another server; undefined for names that nothing is known of. */
  findReplacement(method: string): string | undefined;
}

/** A method or a result that differs from the contract is a compile error here. */
const table: MethodTable = methodTable;

/** The contract that every server answers. */
export const mainContract = (document: contract.ContractDocument): ServedContract => ({
  path: callPath,
  document,
  methods: ContractMethods.of(contract, { ...table }),
  findReplacement,
});
