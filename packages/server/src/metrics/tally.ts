import { Counter, type Registry } from "prom-client";

interface Count {
  readonly labels: Readonly<Record<string, string>>;
  value: number;
}

/** A counter with two labels that costs a look-up for each call. `prom-client` takes the sums when metrics are read. */
export class Tally {
  readonly #names: readonly [string, string];
  readonly #counts = new Map<string, Map<string, Count>>();

  /** @param names - of the labels */
  constructor(registry: Registry, name: string, help: string, names: readonly [string, string]) {
    this.#names = names;
    const counts = this.#counts;
    const counter = new Counter({
      name,
      help,
      labelNames: names,
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const bySecond of counts.values())
          for (const { labels, value } of bySecond.values()) counter.inc(labels, value);
      },
    });
  }

  add(first: string, second: string, amount: number): void {
    const count = this.#counts.get(first)?.get(second) ?? this.#create(first, second);
    count.value += amount;
  }

  #create(first: string, second: string): Count {
    const [firstName, secondName] = this.#names;
    const count = { labels: { [firstName]: first, [secondName]: second }, value: 0 };
    const bySecond = this.#counts.get(first) ?? new Map<string, Count>();
    this.#counts.set(first, bySecond.set(second, count));
    return count;
  }
}
