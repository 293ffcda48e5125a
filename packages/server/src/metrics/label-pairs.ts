/** One thing for each pair of label values. Both have few values, so nothing is ever removed. */
export class LabelPairs<Entry> {
  readonly #names: readonly [string, string];
  readonly #create: () => Entry;
  readonly #entries = new Map<string, Map<string, Entry>>();
  /** The pair that was asked for last: most calls are of one kind. */
  #first = "";
  #second = "";
  #last: Entry | null = null;

  /** @param names - of the labels */
  constructor(names: readonly [string, string], create: () => Entry) {
    this.#names = names;
    this.#create = create;
  }

  of(first: string, second: string): Entry {
    if (this.#last !== null && first === this.#first && second === this.#second) return this.#last;
    this.#first = first;
    this.#second = second;
    return (this.#last = this.#entries.get(first)?.get(second) ?? this.#add(first, second));
  }

  all(): readonly { readonly labels: Readonly<Record<string, string>>; readonly entry: Entry }[] {
    const [firstName, secondName] = this.#names;
    return Array.from(this.#entries).flatMap(([first, bySecond]) =>
      Array.from(bySecond, ([second, entry]) => ({
        labels: { [firstName]: first, [secondName]: second },
        entry,
      })),
    );
  }

  #add(first: string, second: string): Entry {
    const entry = this.#create();
    const bySecond = this.#entries.get(first) ?? new Map<string, Entry>();
    this.#entries.set(first, bySecond.set(second, entry));
    return entry;
  }
}
