import {
  type AddressBytes,
  type Coverage,
  coverageRequestKey,
  type CoverageRequests,
  lastLifeBit,
} from "@lamplight/core";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import type { WriterSession } from "./writer-session.ts";
import { draftHead, writeHead } from "./write-head.ts";

const readMeta = statement("SELECT value FROM meta WHERE key = $1");
const putMeta = statement(
  "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
);
const addMeta = statement("INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING");
const replaceMeta = statement("UPDATE meta SET value = $2 WHERE key = $1 AND value = $3");
const removeMeta = statement("DELETE FROM meta WHERE key = $1 AND value = $2");
const removeTombstonesOf = statement(
  `DELETE FROM tombstone WHERE address = ANY ($1::bytea[]) AND flags & ${lastLifeBit} = 0`,
);

/** Replaces the coverage, and raises the revision of the settings. Part of a transaction of the store's writer. */
export const putCoverage = async (session: Session, coverage: Coverage, epoch: number): Promise<void> => {
  const head = await draftHead(session, epoch);
  await session.run(putMeta, "coverage", JSON.stringify(coverage));
  head.settingsRevision += 1;
  await writeHead(session, head);
};

/** Reads and takes requests to change the coverage; see the port. */
export const createCoverageRequests = (writer: WriterSession): CoverageRequests => ({
  read: () => writer.read(readCoverageRequest),
  take: (request, coverage, rest) =>
    writer.write(async (session) => {
      const taken = await replaceRequest(session, request, rest);
      if (taken) await putCoverage(session, coverage, writer.epoch);
      return taken;
    }),
});

/** A request as JSON; null = nothing is asked for. */
export const readCoverageRequest = async (session: Session): Promise<string | null> =>
  ((await session.get(readMeta, coverageRequestKey))?.[0] ?? null) as string | null;

/** @returns whether the request was `known` still */
export const replaceRequest = async (
  session: Session,
  known: string | null,
  request: string | null,
): Promise<boolean> => {
  const replaced =
    known === null
      ? session.run(addMeta, coverageRequestKey, request)
      : request === null
        ? session.run(removeMeta, coverageRequestKey, known)
        : session.run(replaceMeta, coverageRequestKey, request, known);
  return (await replaced) > 0;
};

/** Deletes tombstones without a last life. */
export const removeTombstones = async (
  session: Session,
  addresses: readonly AddressBytes[],
): Promise<void> => {
  await session.run(removeTombstonesOf, arrayParameter("bytea", addresses));
};
