import {
  type Account,
  type AddressBytes,
  answerJoined,
  type AnswerTo,
  type ReadView,
  type StoredContent,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { readContents } from "../offchain/offchain-store.ts";
import { findAccount, findAmong } from "../queries/find-account.ts";
import { findOwnAsset, findOwnAssets } from "../queries/find-asset.ts";
import { findAssets } from "../queries/find-assets.ts";
import { Gathered, GATHERED_BYTES_MAX, LARGE } from "../queries/gathered.ts";
import type { StoreSettings } from "../queries/read-head.ts";
import type { TreeTops } from "../queries/tree-tops.ts";

/** The members of a view that its answers are read with. */
export interface ViewReads extends ReadView {
  readonly settings: StoreSettings;
  readonly programs: ProgramDictionary;
  readonly treeTops: TreeTops;
  /** Whether tables may be joined by what is no key of theirs. */
  readonly isOneDatabase: boolean;
  /** Whether a statement can still be sent after one failed: an error of the server ends a transaction. */
  readonly isUsable: boolean;
  /**
   * Lends a session that reads the state of the view.
   *
   * @throws NeedsSnapshot of a view without a transaction
   * @throws LamplightError of the STORE family
   */
  use<Result>(body: (session: Session) => Promise<Result>): Promise<Result>;
}

/** Lookups of the calls of a batch, as one statement a round. */
export interface GatheredReads {
  readonly accounts: Gathered<AddressBytes, Account | null>;
  readonly ownAssets: Gathered<AddressBytes, AnswerTo<"ownAsset">>;
  readonly contents: Gathered<string, StoredContent | null>;
  readonly assets: Gathered<AddressBytes, AnswerTo<"asset">>;
}

export const createGatheredReads = (view: ViewReads): GatheredReads => {
  const gather = <Key, Found>(
    findAll: (session: Session, keys: readonly Key[]) => Promise<readonly (Found | typeof LARGE)[]>,
    findOne: (session: Session, key: Key) => Promise<Found>,
  ): Gathered<Key, Found> =>
    new Gathered<Key, Found>({
      findAll: (keys) => view.use((session) => findAll(session, keys)),
      findOne: (key) => view.use((session) => findOne(session, key)),
      isUsable: () => view.isUsable,
    });
  return {
    accounts: gather(
      (session, addresses) => findAmong(session, view.programs, addresses, GATHERED_BYTES_MAX),
      (session, address) => findAccount(session, view.programs, address),
    ),
    ownAssets: gather((session, ids) => findOwnAssets(session, ids, GATHERED_BYTES_MAX), findOwnAsset),
    contents: gather(findContents, async (session, uri) => (await readContents(session, [uri]))[0]!),
    assets: gather(
      (session, ids) => findAssets(session, view.settings, ids, GATHERED_BYTES_MAX),
      async (_session, id) => answerJoined(view, { kind: "asset", id }),
    ),
  };
};

const findContents = async (
  session: Session,
  uris: readonly string[],
): Promise<readonly (StoredContent | null | typeof LARGE)[]> =>
  (await readContents(session, uris, GATHERED_BYTES_MAX)).map((one) => (one?.parts === null ? LARGE : one));
