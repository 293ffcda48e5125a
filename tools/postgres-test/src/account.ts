import { readFileSync } from "node:fs";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** What the servers run as: `nobody` where this process is root, since they refuse to be root; null = as it is. */
export const serverAccount = (): Account | null => (process.getuid?.() === 0 ? accountOfNobody() : null);

/** The number alone would not do: initdb looks the account up by it. */
const accountOfNobody = (): Account => {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("there is no account nobody to drop to");
  return { uid: Number(uid), gid: Number(gid) };
};
