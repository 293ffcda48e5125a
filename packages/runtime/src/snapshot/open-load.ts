import { join } from "node:path";
import type { BulkLoad } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { isPostgresUrl, parseStoreUrl } from "../store/store-url.ts";
import { openBulkLoad } from "@lamplight/store-sqlite";
import type { LoadSnapshotOptions } from "./load-snapshot.ts";

type Options = Pick<LoadSnapshotOptions, "store" | "workFolder" | "holdings" | "fileBytesMax">;

/** @throws LamplightError `STORE__URL`, `STORE__NOT_EMPTY` and of the STORE family */
export const openLoad = async (options: Options): Promise<BulkLoad> => {
  const { store, workFolder, holdings, fileBytesMax } = options;
  const chosen = holdings === undefined ? {} : { holdings };
  if (!isPostgresUrl(store)) {
    return openBulkLoad({
      file: parseStoreUrl(store).file,
      ...chosen,
      ...(fileBytesMax === undefined ? {} : { fileBytesMax }),
    });
  }
  const { openPostgresBulkLoad } = await import("@lamplight/store-postgres");
  return openPostgresBulkLoad({
    url: store,
    folder: join(workFolder ?? ".", folderNameOf(store)),
    ...chosen,
  });
};

/**
 * A separate folder, since it is removed at the end. Its name follows from database and schema, so the next run finds
 * it.
 */
const folderNameOf = (store: string): string => {
  if (!URL.canParse(store)) throw new LamplightError("STORE__URL", { url: "postgres://…" });
  const { host, pathname, searchParams } = new URL(store);
  const name = [host, pathname.slice(1), searchParams.get("schema") ?? "lamplight"].join("-");
  return `${name.replaceAll(/[^\w.-]/gu, "_")}.load`;
};
