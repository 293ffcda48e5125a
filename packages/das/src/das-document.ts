import { type ContractDocument, parseDocument } from "@lamplight/contract";
import { documentText } from "./generated/document.ts";

/** The OpenRPC document of the DAS contract. */
export const dasDocument: ContractDocument = parseDocument(documentText);
