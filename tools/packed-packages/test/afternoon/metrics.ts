/** The samples of a text in the format of Prometheus. */
export class Metrics {
  readonly #samples: readonly Sample[];

  constructor(text: string) {
    this.#samples = text.split("\n").flatMap((line) => {
      const parts = /^(\w+)(?:\{(.*)\})? (\S+)$/u.exec(line);
      if (parts === null) return [];
      const labels = Array.from(parts[2]?.matchAll(/(\w+)="([^"]*)"/gu) ?? [], ([, name, value]) => [
        name,
        value,
      ]);
      return [{ name: parts[1]!, labels: Object.fromEntries(labels) as Labels, value: Number(parts[3]) }];
    });
  }

  /** The sum of all samples of a name with these labels; undefined where there are none. */
  find(name: string, labels: Labels = {}): number | undefined {
    const values = this.#of(name, labels).map(({ value }) => value);
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  }

  /** The labels of the one sample of a name. */
  labelsOf(name: string): Labels {
    return this.#of(name, {})[0]?.labels ?? {};
  }

  #of(name: string, labels: Labels): readonly Sample[] {
    const wanted = Object.entries(labels);
    return this.#samples.filter(
      (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value),
    );
  }
}

export type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}
