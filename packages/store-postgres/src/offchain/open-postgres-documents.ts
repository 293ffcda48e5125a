import type { DocumentStore } from "@lamplight/core";
import { parsePostgresUrl } from "../engine/location.ts";
import { readAssetsChangedSince } from "../queries/read-asset-page.ts";
import { WriterSession } from "../writes/writer-session.ts";
import { assertStillWritesDocuments, documentsRole } from "./documents-lock.ts";
import { createOffchainStore } from "./offchain-store.ts";

/**
 * Opens the documents of a store for their one writer. Another process may write the store at the same time.
 *
 * @throws LamplightError `STORE__LOCKED` while another process writes documents; `STORE__MISSING`,
 * `STORE__UNREACHABLE`, `STORE__URL`, `STORE__NOT_A_STORE`, `STORE__SCHEMA_TOO_NEW`, `STORE__OTHER_FORMAT`,
 * `STORE__NEEDS_MIGRATION`
 */
export const openPostgresDocuments = async ({
  url,
  silenceMs,
}: {
  readonly url: string;
  /** As for the store's writer. */
  readonly silenceMs?: number;
}): Promise<DocumentStore> => {
  const writer = await WriterSession.openAs(parsePostgresUrl(url), documentsRole, silenceMs);
  return {
    offchain: createOffchainStore({
      read: (body) => writer.read(body),
      write: (body) =>
        writer.write(async (session) => {
          const result = await body(session);
          await assertStillWritesDocuments(session, writer.epoch);
          return result;
        }),
    }),
    readAssetsChangedSince: (changeSeq, limit) =>
      writer.read((session) => readAssetsChangedSince(session, changeSeq, limit)),
    close: () => writer.close(),
  };
};
