import {
  type Account,
  type AddressBytes,
  type Asset,
  type ChangeSet,
  type Edition,
  emptyChangeSet,
  type IndexStore,
} from "@lamplight/core";
import { ruleBook } from "../programs/rule-book.ts";
import type { ReportProblem } from "../rules/rules.ts";
import { AddressMap, AddressSet } from "./address-map.ts";
import { changeState, nothingTouched, noteSeen } from "./apply-accounts.ts";
import { applyTransactions } from "./apply-transactions.ts";
import { ClaimReader } from "./claims.ts";
import { deriveAssets } from "./derive-assets.ts";
import { pagesOf } from "./fan-out.ts";
import { assetsPerRoundMax, strangeAssetsRememberedMax } from "./limits.ts";
import { Pending } from "./pending.ts";
import { RoundReader } from "./round-reader.ts";

export interface DeriveStoreOptions {
  readonly onProblem?: ReportProblem;
  readonly onProgress?: (progress: DeriveProgress) => void;
  readonly signal?: AbortSignal;
}

export interface DeriveProgress {
  /** First every account is asked what it says, then the assets are derived. */
  readonly step: "links" | "assets";
  /** Of this step. */
  readonly accounts: number;
  readonly assets: number;
}

/** Programs whose accounts say anything: those of all rules, and of the trees. */
export const claimingPrograms: readonly AddressBytes[] = [
  ...ruleBook.accounts.flatMap((rule) => rule.programs),
  ...ruleBook.ledgers.flatMap((rule) => rule.programs),
];

/**
 * Derives links, tree counts, assets and editions of a store that holds accounts and nothing else, as a bulk load
 * leaves it: by the same rules, over the same views as updates, only that each asset is derived once, with everything
 * around it in place.
 *
 * @param listPages - the living accounts of `claimingPrograms`; called twice, must give the same each time
 */
export const deriveStore = async (
  store: IndexStore,
  listPages: () => Iterable<readonly Account[]>,
  options: DeriveStoreOptions = {},
): Promise<{ readonly assets: number }> => {
  const run = new DeriveRun(store, options);
  for (const page of listPages()) await run.link(page);
  run.turnToAssets();
  for (const page of listPages()) await run.derive(page);
  await run.finish();
  return { assets: run.assets };
};

class DeriveRun {
  readonly #store: IndexStore;
  readonly #options: DeriveStoreOptions;
  readonly #report: ReportProblem;
  #claims = new ClaimReader(ruleBook.accounts);
  /** Assets whose own account says nothing, and that were derived because another speaks of them. */
  #strange = new AddressSet();
  #accounts = 0;
  #due: AddressBytes[] = [];
  assets = 0;

  constructor(store: IndexStore, options: DeriveStoreOptions) {
    this.#store = store;
    this.#options = options;
    this.#report = options.onProblem ?? (() => {});
  }

  /** What accounts say of themselves: links, slots seen, counts of trees. */
  async link(page: readonly Account[]): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const pending = new Pending();
    const touched = nothingTouched();
    for (const account of page) {
      noteSeen(account, this.#claims, touched);
      changeState(
        account.address,
        null,
        { current: account, lastLife: null },
        this.#claims,
        pending,
        touched,
      );
    }
    await applyTransactions([], page, this.#store, ruleBook, pending, touched, this.#report);
    const seen = [...touched.seen.entries(), ...touched.partsSeen.entries()];
    await this.#commit({
      ...emptyChangeSet,
      linksAdded: pending.linksAdded(),
      assetsSeen: seen.map(({ address, value }) => ({ id: address, slot: value })),
      ledger: pending.ledger.values(),
    });
    this.#tell("links", page.length);
  }

  turnToAssets(): void {
    this.#accounts = 0;
  }

  /** Derives the assets that these accounts are, and those that only others speak of. */
  async derive(page: readonly Account[]): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const foreign = new AddressSet();
    for (const account of page) {
      const claim = this.#claims.read(account);
      for (const id of claim?.assets ?? []) {
        if (isSame(id, account.address)) this.#due.push(id);
        else foreign.add(id);
      }
    }
    await this.#addStrange(foreign.addresses());
    while (this.#due.length >= assetsPerRoundMax)
      await this.#deriveRound(this.#due.splice(0, assetsPerRoundMax));
    this.#tell("assets", page.length);
  }

  async finish(): Promise<void> {
    for (const ids of pagesOf(this.#due.splice(0), assetsPerRoundMax)) await this.#deriveRound(ids);
    this.#tell("assets", 0);
  }

  /** An asset whose own account speaks is derived when its turn comes. */
  async #addStrange(ids: readonly AddressBytes[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#strange.has(id));
    if (unknown.length === 0) return;
    const states = await this.#store.readAccountStates(unknown);
    for (const [index, id] of unknown.entries()) {
      const claim = this.#claims.stand(states[index] ?? null)?.claim;
      if (claim?.assets.some((asset) => isSame(asset, id)) === true) continue;
      // Forgetting only means that an asset may be derived again, to the same end.
      if (this.#strange.size >= strangeAssetsRememberedMax) this.#strange = new AddressSet();
      this.#strange.add(id);
      this.#due.push(id);
    }
  }

  async #deriveRound(ids: readonly AddressBytes[]): Promise<void> {
    const reader = new RoundReader(this.#store, new Pending(), this.#report);
    // What a claim was read from is garbage after the round.
    this.#claims = new ClaimReader(ruleBook.accounts);
    const derived = await deriveAssets(ids, reader, this.#claims, ruleBook);
    const assets: Asset[] = [];
    const editions = new AddressMap<Edition>();
    for (const { asset, editions: proved } of derived) {
      if (asset !== null) assets.push(asset);
      for (const edition of proved) editions.set(edition.address, edition);
    }
    this.assets += assets.length;
    await this.#commit({ ...emptyChangeSet, assets, editions: editions.values() });
  }

  async #commit(changes: ChangeSet): Promise<void> {
    await this.#store.commit(changes);
  }

  #tell(step: DeriveProgress["step"], accounts: number): void {
    this.#accounts += accounts;
    this.#options.onProgress?.({ step, accounts: this.#accounts, assets: this.assets });
  }
}

const isSame = (a: AddressBytes, b: AddressBytes): boolean => Buffer.compare(a, b) === 0;
