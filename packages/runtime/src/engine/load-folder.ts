import { join } from "node:path";
import { LamplightError } from "@lamplight/errors";
import { readPostgresUrl } from "@lamplight/store-postgres/url";

/**
 * The folder for the temporary files of a load. It is separate, since it is removed at the end. Its name follows from
 * database and schema, so the next run finds it.
 *
 * @param workFolder - default: the current folder
 * @throws LamplightError `STORE__URL`
 */
export const loadFolderOf = (text: string, workFolder: string = "."): string => {
  const url = readPostgresUrl(text);
  if (url === null) throw new LamplightError("STORE__URL", { url: "postgres://…" });
  const { pathname, searchParams } = url.first;
  const name = [url.servers.join(","), pathname.slice(1), searchParams.get("schema") ?? "lamplight"].join(
    "-",
  );
  return join(workFolder, `${name.replaceAll(/[^\w.-]/gu, "_")}.load`);
};
