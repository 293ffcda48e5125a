// While the coverage of a store changes, it has rows of programs that it does not cover: too few, or no longer updated.
// Such a row is refused, as an absent one is.

import { encodeAddress, isTokenProgram, programAddressTexts } from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { Coverage } from "../domain/coverage.ts";
import { type AnswerTo, type Read, type ReadKind, type ReadOf, reads } from "../ports/reads.ts";
import type { ReadView } from "../ports/read-view.ts";

/** Returns the view itself, unless the coverage of its store changes. */
export const coveredView = (view: ReadView): ReadView => {
  const changing = changingPrograms(view.coverage);
  return changing.length === 0 ? view : new CoveredView(view, new Set(changing));
};

/** Programs of which a store may have rows that do not answer: those that are added or removed. Usually none. */
const changingPrograms = (coverage: Coverage): readonly string[] => {
  if (coverage.kind === "whole") return none;
  const { filling = none, dropping = none } = coverage;
  if (filling.length === 0 && dropping.length === 0) return none;
  return [...filling, ...dropping].map(({ program }) => program);
};

const none: readonly never[] = [];

class CoveredView implements ReadView {
  readonly #view: ReadView;
  readonly #changing: ReadonlySet<string>;
  /** Rows of these are outdated. Those of a program that is being added are up to date, where there are any. */
  readonly #dropped: ReadonlySet<string>;
  /** Single accounts, which are followed all the same. */
  readonly #singles: ReadonlySet<string>;

  constructor(view: ReadView, changing: ReadonlySet<string>) {
    this.#view = view;
    this.#changing = changing;
    const { coverage } = view;
    const { dropping = [], accounts = [], trees = [] } = coverage.kind === "whole" ? {} : coverage;
    this.#dropped = new Set(dropping.map(({ program }) => program));
    this.#singles = new Set([...accounts, ...trees]);
  }

  get slot(): ReadView["slot"] {
    return this.#view.slot;
  }

  get coverage(): ReadView["coverage"] {
    return this.#view.coverage;
  }

  get incompleteTrees(): ReadView["incompleteTrees"] {
    return this.#view.incompleteTrees;
  }

  get derivation(): ReadView["derivation"] {
    return this.#view.derivation;
  }

  get terms(): ReadView["terms"] {
    return this.#view.terms;
  }

  async read<Kind extends ReadKind>(asked: ReadOf<Kind>): Promise<AnswerTo<Kind>> {
    const answer = (await this.#view.read(asked)) as AnswerTo<Kind>;
    await this.#assertCovered(asked as Read, answer);
    return answer;
  }

  cancel(): void {
    this.#view.cancel?.();
  }

  close(): void {
    this.#view.close();
  }

  /** @throws LamplightError `STORE__NOT_COVERED` */
  async #assertCovered(asked: Read, answer: unknown): Promise<void> {
    switch (asked.kind) {
      case "account":
        return this.#assertAccounts([answer as Account | null]);
      case "accountWithMint": {
        const { account, mint } = answer as AnswerTo<"accountWithMint">;
        return this.#assertAccounts([account, mint]);
      }
      case "accounts":
        return this.#assertAccounts(answer as AnswerTo<"accounts">);
      case "tokenAccounts":
        return this.#assertAccounts(answer as AnswerTo<"tokenAccounts">);
      case "heldAccounts":
        return this.#assertAccounts((answer as AnswerTo<"heldAccounts">) ?? []);
      case "holderPage":
        return this.#assertAccounts((answer as AnswerTo<"holderPage">).accounts);
      case "treeTop":
        return this.#assertAccount(asked.tree);
      case "leafPath": {
        const path = answer as AnswerTo<"leafPath">;
        return path === null ? undefined : this.#assertAccount(path.leaf.tree);
      }
      case "asset": {
        const asset = answer as AnswerTo<"asset">;
        return asset === null ? undefined : this.#assertAsset(asked.id, asset.own.document);
      }
      case "ownAsset": {
        const asset = answer as AnswerTo<"ownAsset">;
        return asset === null ? undefined : this.#assertAsset(asked.id, asset.document);
      }
      default:
        // Lists name what they need, and are refused by what the coverage has.
        return undefined;
    }
  }

  #assertAccounts(accounts: readonly (Pick<Account, "address" | "programOwner"> | null)[]): void {
    for (const account of accounts) {
      if (account === null || !this.#dropped.has(encodeAddress(account.programOwner))) continue;
      const address = encodeAddress(account.address);
      if (!this.#singles.has(address))
        throw new LamplightError("STORE__NOT_COVERED", { what: `account ${address}` });
    }
  }

  /** @throws LamplightError `STORE__NOT_COVERED` */
  async #assertAccount(address: AddressBytes): Promise<void> {
    this.#assertAccounts([await this.#view.read(reads.account(address))]);
  }

  async #assertAsset(id: AddressBytes, document: string): Promise<void> {
    const account = await this.#view.read(reads.account(id));
    if (programsOf(account, document).some((program) => this.#changing.has(program)))
      throw new LamplightError("STORE__NOT_COVERED", { what: `asset ${encodeAddress(id)}` });
  }
}

const { bubblegum, mplCore, token, token2022, tokenMetadata } = programAddressTexts;

/** Programs whose accounts may describe an asset. */
const programsOf = (account: Account | null, document: string): readonly string[] => {
  if (account !== null) {
    const owner = encodeAddress(account.programOwner);
    return isTokenProgram(account.programOwner) ? [owner, tokenMetadata] : [owner];
  }
  const { compression } = JSON.parse(document) as {
    readonly compression?: { readonly compressed?: boolean };
  };
  // The collection of a leaf is a Core asset.
  if (compression?.compressed === true) return [bubblegum, mplCore];
  return [token, token2022, tokenMetadata, mplCore];
};
