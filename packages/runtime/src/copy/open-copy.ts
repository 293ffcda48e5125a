import type { StoreExport, StoreImport } from "@lamplight/core";
import { existsSync } from "node:fs";
import { LamplightError } from "@lamplight/errors";
import { isPostgresUrl, parseStoreUrl } from "../store/store-url.ts";
import { openSqliteExport, openSqliteImport } from "@lamplight/store-sqlite";

/** @throws LamplightError `STORE__URL` and of the STORE family */
export const openStoreExport = async (url: string): Promise<StoreExport> => {
  if (isPostgresUrl(url)) {
    const { openPostgresExport } = await import("@lamplight/store-postgres");
    return openPostgresExport(url);
  }
  const { file } = parseStoreUrl(url);
  if (!existsSync(file)) throw new LamplightError("STORE__MISSING", { store: file });
  return openSqliteExport(file);
};

/**
 * @param holdings - whether fungible holdings are indexed in the other store
 * @throws LamplightError `STORE__URL`, `STORE__NOT_EMPTY`, and of the STORE family
 */
export const openStoreImport = async (url: string, holdings: boolean): Promise<StoreImport> => {
  if (isPostgresUrl(url)) {
    const { openPostgresImport } = await import("@lamplight/store-postgres");
    return openPostgresImport({ url, holdings });
  }
  return openSqliteImport({ file: parseStoreUrl(url).file, holdings });
};
