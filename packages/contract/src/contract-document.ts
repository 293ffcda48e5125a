import { documentText } from "./generated/document.ts";

/** The members of the OpenRPC document that programs here read. */
export interface ContractDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly methods: readonly { readonly name: string }[];
  readonly [member: string]: unknown;
}

/** Newer than the type library; Node 22 and on. */
const { rawJSON } = JSON as unknown as { rawJSON?: (text: string) => unknown };

interface ReviverContext {
  readonly source?: string;
}

/** Examples hold u64 and numbers such as `1.0`: as raw text they are written back as they were. */
const keepText = (_name: string, value: unknown, context?: ReviverContext): unknown =>
  typeof value === "number" && context?.source !== undefined && context.source !== String(value)
    ? (rawJSON?.(context.source) ?? value)
    : value;

/** The text of an OpenRPC document as an object that `JSON.stringify` writes without rounding. */
export const parseDocument = (text: string): ContractDocument =>
  JSON.parse(text, keepText) as ContractDocument;

/** The OpenRPC document of the contract. */
export const contractDocument = parseDocument(documentText);
