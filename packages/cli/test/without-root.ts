// For what the system refuses: no permission stops root, as which tests run in containers.
import { type SpawnOptions, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** An unprivileged user where tests run as root, otherwise the same user. */
export const withoutRoot: Pick<SpawnOptions, "uid" | "gid"> =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const source = fileURLToPath(new URL("../package.json", import.meta.url));
const read = `require("node:fs").readFileSync(${JSON.stringify(source)})`;

/** Whether that user may read the sources: a folder of root can hide them. */
export const canRunWithoutRoot = spawnSync(process.execPath, ["--eval", read], withoutRoot).status === 0;
if (!canRunWithoutRoot)
  console.warn("SKIPPED: what the system refuses, because another user cannot read the sources");
