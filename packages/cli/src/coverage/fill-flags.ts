import { join } from "node:path";
import { usageError } from "@lamplight/errors";
import { engineOf, nameOfStore, type SnapshotPlace } from "@lamplight/runtime";
import type { parseFlags } from "@lamplight/server/command";

/** These flags name the source of the accounts of added programs. */
export const fillOptions = {
  "fill-snapshot": { type: "string" },
  "fill-incremental": { type: "string" },
  "fill-work": { type: "string" },
} as const;

type FillFlags = ReturnType<typeof parseFlags<typeof fillOptions>>;

/** @throws LamplightError `CLI__USAGE`, `STORE__URL` */
export const fillSnapshotOf = (
  flags: FillFlags,
  { store, repairRpc }: { readonly store: string; readonly repairRpc: string | null },
): { readonly fillSnapshot?: SnapshotPlace } => {
  const full = flags["fill-snapshot"] ?? process.env["LAMPLIGHT_FILL_SNAPSHOT"];
  const incremental = flags["fill-incremental"] ?? process.env["LAMPLIGHT_FILL_INCREMENTAL"];
  const workFolder = flags["fill-work"];
  if (full === undefined) {
    if ((incremental ?? workFolder) === undefined) return {};
    throw usageError("--fill-incremental and --fill-work are only for --fill-snapshot");
  }
  if (repairRpc === null)
    throw usageError(
      "--fill-snapshot needs --repair-rpc: the node confirms that the snapshot is of its chain",
    );
  const folder = folderOf(store, workFolder ?? ".");
  return { fillSnapshot: { full, incremental: incremental ?? null, folder } };
};

/** The name follows from the store, so that the next run finds it. */
const folderOf = (store: string, workFolder: string): string => {
  const file = engineOf(store).fileOf(store);
  const name = nameOfStore(store).replaceAll(/[^\w.-]/gu, "_");
  return file === null ? join(workFolder, `${name}.fill`) : `${file}.fill`;
};
