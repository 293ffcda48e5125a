import { createHash } from "node:crypto";
import {
  type AddressBytes,
  type AssetQuery,
  type InheritedForm,
  sharersOf,
  type TermReader,
  turns,
} from "@lamplight/core";
import type { OrdinalSet } from "../bitmap/ordinal-set.ts";

/** Collections whose rows are read at once. */
const ROWS_PER_READ = 1000;

/** The collections that share a fact which meets a criterion, at the state of one view. */
export class Sharers {
  readonly #terms: TermReader;
  readonly #stored: OrdinalSet;
  readonly #unstored: readonly AddressBytes[];

  /** @param stored - those in the store; @param unstored - the ids of those that are in no finalized slot yet */
  constructor(terms: TermReader, stored: OrdinalSet, unstored: readonly AddressBytes[]) {
    this.#terms = terms;
    this.#stored = stored;
    this.#unstored = unstored;
  }

  get count(): number {
    return this.#stored.size + this.#unstored.length;
  }

  /** Equal for equal collections of one store: an ordinal is one asset for good, so no row is read for it. */
  get key(): string {
    const hash = createHash("sha256").update(this.#stored.toArray());
    for (const id of this.#unstored.toSorted(Buffer.compare)) hash.update(id);
    return `${this.#stored.size} ${hash.digest("hex")}`;
  }

  async readIds(): Promise<readonly AddressBytes[]> {
    const ids = [...this.#unstored];
    const stored = this.#stored.toArray();
    for (let at = 0; at < stored.length; at += ROWS_PER_READ) {
      const page = [...stored.subarray(at, at + ROWS_PER_READ)];
      for (const { id } of await this.#terms.readPositions(page)) ids.push(id);
      // A store in this process answers at once.
      if (turns.isUsedUp()) await turns.next();
    }
    return ids;
  }
}

/**
 * The sharers of a query, which may know of collections that changed after the view.
 *
 * @param stored - those that share such a fact in the store, which become the answer's own
 */
export const readSharers = async (
  terms: TermReader,
  form: InheritedForm,
  { shared: changed = [] }: Pick<AssetQuery, "shared">,
  stored: OrdinalSet,
): Promise<Sharers> => {
  const rows = changed.length === 0 ? [] : await terms.readFacts(changed.map(({ id }) => id));
  const unstored: AddressBytes[] = [];
  for (const [index, record] of changed.entries()) {
    const isSharer = sharersOf(form, { shared: [record] }, []).length > 0;
    const ordinal = rows[index]?.ordinal;
    if (ordinal === undefined) {
      if (isSharer) unstored.push(record.id);
    } else if (isSharer) stored.add(ordinal);
    else stored.remove(ordinal);
  }
  return new Sharers(terms, stored, unstored);
};
