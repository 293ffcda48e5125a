import { type AddressBytes, type Link, type LinkRole, roleNumber } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

export const linkPageSql =
  "SELECT source FROM link WHERE target = ? AND role = ? AND source > ? ORDER BY source LIMIT ?";

const beforeAll = new Uint8Array(0);

export const prepareReadLinkPage = (
  connection: Connection,
): ((target: AddressBytes, role: LinkRole, after: AddressBytes | null, limit: number) => readonly Link[]) => {
  const statement = connection.prepare(linkPageSql);
  return (target, role, after, limit) =>
    statement
      .all(target, roleNumber(role), after ?? beforeAll, limit)
      .map((row) => ({ role, target, source: row[0] as Uint8Array }));
};

export const prepareReadLinks = (
  connection: Connection,
): ((targets: readonly AddressBytes[], roles: readonly LinkRole[], limit: number) => readonly Link[]) => {
  const readPage = prepareReadLinkPage(connection);
  return (targets, roles, limit) =>
    targets.flatMap((target) => roles.flatMap((role) => readPage(target, role, null, limit)));
};
