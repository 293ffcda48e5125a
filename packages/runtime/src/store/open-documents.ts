import type { DocumentStore } from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";

import { engineOf, nameOfStore } from "../engine/engines.ts";

/**
 * Opens the documents of a store for their one writer. A follower or a load may write the store at the same time.
 *
 * @throws LamplightError `STORE__URL` and of the STORE family; `STORE__LOCKED` names the documents
 */
export const openDocuments = async (url: string): Promise<DocumentStore> => {
  try {
    return await engineOf(url).openDocuments(url);
  } catch (error) {
    if (!isLamplightError(error, "STORE__LOCKED")) throw error;
    throw new LamplightError(
      "STORE__LOCKED",
      { store: `the document table of ${nameOfStore(url)}` },
      { cause: error },
    );
  }
};
