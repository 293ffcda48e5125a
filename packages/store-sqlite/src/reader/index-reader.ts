import type { IndexReader } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";
import { promised } from "../engine/promised.ts";
import { prepareReadAccountPage, prepareReadAccountStates } from "../queries/read-account-states.ts";
import { prepareReadAssetPage, prepareReadAssetsChangedSince } from "../queries/read-asset-page.ts";
import { prepareReadLedger } from "../queries/read-ledger.ts";
import { prepareReadLinkPage, prepareReadLinks } from "../queries/read-links.ts";
import { prepareReadSeenSlots } from "../queries/read-seen-slots.ts";

/** The bulk reads, for the writer's connection and for views. */
export const prepareIndexReader = (connection: Connection, programs: ProgramDictionary): IndexReader => ({
  readAccountStates: promised(prepareReadAccountStates(connection, programs.addressOf)),
  readLinks: promised(prepareReadLinks(connection)),
  readLinkPage: promised(prepareReadLinkPage(connection)),
  readLedger: promised(prepareReadLedger(connection)),
  readSeenSlots: promised(prepareReadSeenSlots(connection)),
  readAssetPage: promised(prepareReadAssetPage(connection)),
  readAssetsChangedSince: promised(prepareReadAssetsChangedSince(connection)),
  readAccountPage: promised(prepareReadAccountPage(connection, programs.addressOf)),
});
