import type { IndexReader } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { readAccountPage, readAccountStates } from "../queries/read-account-states.ts";
import { readAssetPage, readAssetsChangedSince } from "../queries/read-asset-page.ts";
import { readLedger, readLinkPage, readLinks, readSeenSlots } from "../queries/read-lists.ts";

/** Lends a session to one read. */
export type Lend = <Result>(body: (session: Session) => Promise<Result>) => Promise<Result>;

/** The bulk reads, for the writer's session and for views. */
export const createIndexReader = (lend: Lend, programs: ProgramDictionary): IndexReader => ({
  readAccountStates: (addresses) => lend((session) => readAccountStates(session, programs, addresses)),
  readLinks: (targets, roles, limit) => lend((session) => readLinks(session, targets, roles, limit)),
  readLinkPage: (target, role, after, limit) =>
    lend((session) => readLinkPage(session, target, role, after, limit)),
  readLedger: (kind, keys) => lend((session) => readLedger(session, kind, keys)),
  readSeenSlots: (ids) => lend((session) => readSeenSlots(session, ids)),
  readAssetPage: (from, limit) => lend((session) => readAssetPage(session, from, limit)),
  readAssetsChangedSince: (changeSeq, limit) =>
    lend((session) => readAssetsChangedSince(session, changeSeq, limit)),
  readAccountPage: (after, limit) => lend((session) => readAccountPage(session, programs, after, limit)),
});
