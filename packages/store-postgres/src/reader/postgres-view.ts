import {
  type Account,
  type AddressBytes,
  answerJoined,
  type AnswerTo,
  type FoundAsset,
  type ItemsOfState,
  type ReadKind,
  type ReadOf,
  type ReadView,
  type StoredContent,
  type TermReader,
  type WholeAsset,
} from "@lamplight/core";
import type { Session } from "../engine/session.ts";
import { readContents } from "../offchain/offchain-store.ts";
import { findAccount, findAmong } from "../queries/find-account.ts";
import { filterByName, listOrdinals } from "../queries/list-ordinals.ts";
import { listChanges, readFactsById, readPositions } from "../queries/read-asset-page.ts";
import { findWholeAssets } from "../queries/find-whole-assets.ts";
import { findAsset, findAssets } from "../queries/read-documents.ts";
import type { StoreSettings, ViewHead } from "../queries/read-head.ts";
import { isPartOfHistory } from "../queries/read-history.ts";
import { Gathered, GATHERED_BYTES_MAX, LARGE } from "../queries/gathered.ts";
import type { Caches } from "./shared-caches.ts";

/** Lookups of the calls of a batch, as one statement a round. */
interface GatheredReads {
  readonly accounts: Gathered<AddressBytes, Account | null>;
  readonly assets: Gathered<AddressBytes, FoundAsset | null>;
  readonly contents: Gathered<string, StoredContent | null>;
  readonly wholes: Gathered<AddressBytes, WholeAsset | null>;
}

/** Cancels the running statement of a session. */
export type Stop = (session: Session) => void;

/** The parts of a view: the head, settings and caches of its state. */
export interface ViewParts {
  readonly head: ViewHead;
  readonly settings: StoreSettings;
  readonly caches: Caches;
  /** Whether tables may be joined by what is no key of theirs. */
  readonly isOneDatabase: boolean;
}

/**
 * One state of a store. Off-chain documents belong to no slot, and may change between two rounds of a view without a
 * transaction.
 */
export abstract class PostgresView implements ReadView {
  readonly slot;
  readonly coverage;
  readonly incompleteTrees;
  readonly derivation;
  readonly settings: StoreSettings;
  readonly head: ViewHead;
  readonly isOneDatabase: boolean;
  readonly #caches: Caches;
  #gathered: GatheredReads | null = null;
  #terms: TermReader | null = null;

  constructor({ head, settings, caches, isOneDatabase }: ViewParts) {
    this.slot = head.slot ?? 0;
    this.coverage = settings.coverage;
    this.incompleteTrees = settings.incompleteTrees;
    this.derivation = settings.derivation;
    this.settings = settings;
    this.head = head;
    this.isOneDatabase = isOneDatabase;
    this.#caches = caches;
  }

  abstract read<Kind extends ReadKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>>;

  abstract itemsOfState(): Promise<ItemsOfState | null>;

  /**
   * Lends a session that reads this state.
   *
   * @throws NeedsSnapshot of a view without a transaction
   * @throws LamplightError of the STORE family
   */
  abstract use<Result>(body: (session: Session) => Promise<Result>): Promise<Result>;

  /** Whether more can be read after an error. */
  abstract readonly isUsable: boolean;

  abstract cancel(): void;

  abstract close(): void;

  get programs(): Caches["programs"] {
    return this.#caches.programs;
  }

  get gathered(): GatheredReads {
    this.#gathered ??= {
      accounts: this.#gather(
        (session, addresses) => findAmong(session, this.programs, addresses, GATHERED_BYTES_MAX),
        (session, address) => findAccount(session, this.programs, address),
      ),
      assets: this.#gather((session, ids) => findAssets(session, ids, GATHERED_BYTES_MAX), findAsset),
      contents: this.#gather(findContents, async (session, uri) => (await readContents(session, [uri]))[0]!),
      wholes: this.#gather(
        (session, ids) => findWholeAssets(session, this.settings, ids, GATHERED_BYTES_MAX),
        async (_session, id) => answerJoined(this, { kind: "asset", id }),
      ),
    };
    return this.#gathered;
  }

  get terms(): TermReader {
    this.#terms ??= this.#createTerms();
    return this.#terms;
  }

  #gather<Key, Found>(
    findAll: (session: Session, keys: readonly Key[]) => Promise<readonly (Found | typeof LARGE)[]>,
    findOne: (session: Session, key: Key) => Promise<Found>,
  ): Gathered<Key, Found> {
    return new Gathered<Key, Found>({
      findAll: (keys) => this.use((session) => findAll(session, keys)),
      findOne: (key) => this.use((session) => findOne(session, key)),
      isUsable: () => this.isUsable,
    });
  }

  #createTerms(): TermReader {
    const { changeSeq, nextOrdinal, writer } = this.head;
    const { storeId, holdings } = this.settings;
    return {
      storeId,
      changeSeq,
      nextOrdinal,
      listOrdinals: (criterion, limit) =>
        this.use((session) => listOrdinals(session, holdings, criterion, limit)),
      filterByName: (ordinals, name) => this.use((session) => filterByName(session, ordinals, name)),
      listChanges: (since, limit) => this.use((session) => listChanges(session, since, limit)),
      readPositions: (ordinals) => this.use((session) => readPositions(session, ordinals)),
      readFacts: (ids) => this.use((session) => readFactsById(session, ids)),
      history: {
        writer,
        contains: (earlier, seq) => this.use((session) => isPartOfHistory(session, earlier, seq)),
      },
    };
  }
}

const findContents = async (
  session: Session,
  uris: readonly string[],
): Promise<readonly (StoredContent | null | typeof LARGE)[]> =>
  (await readContents(session, uris, GATHERED_BYTES_MAX)).map((one) => (one?.parts === null ? LARGE : one));
