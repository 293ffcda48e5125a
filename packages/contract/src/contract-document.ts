import { documentText } from "./generated/document.ts";

/** The members of the OpenRPC document that programs here look at. */
export interface ContractDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly methods: readonly { readonly name: string }[];
  readonly [member: string]: unknown;
}

/** The OpenRPC document as an object. Examples hold no integer beyond 2^53, so nothing is rounded. */
export const contractDocument = JSON.parse(documentText) as ContractDocument;
