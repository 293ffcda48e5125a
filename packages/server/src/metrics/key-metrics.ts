import { familyOf, type MetricFamily, type MetricValue } from "@lamplight/core";

import type { StoredKey } from "../gate/key-account.ts";
import {
  cellOf,
  KeyCells,
  type KeyCellsMemory,
  keyRefusals,
  refusalOf,
  requestsOf,
  unitsOf,
} from "../gate/key-cells.ts";
import { meteredNames } from "../key-store/key-costs.ts";

/** Keys with series of their own: the first that called. The others share one, whose name no key can have. */
const LABELLED_KEYS_MAX = 100;
const otherKeys = "(other)";

/** The parts of a `KeyKeeper` that metrics show. */
export interface KeyStoreState {
  readonly stored: readonly StoredKey[];
  readonly cells: KeyCellsMemory;
  readonly readAgeSeconds: number;
  readonly usage: { readonly unsavedRows: number };
}

/** Metrics of the keys of a store. The number of series is bounded, however many keys there are. */
export class KeyMetrics {
  readonly #labelled = new Map<number, string>();

  families(state: KeyStoreState): readonly MetricFamily[] {
    const cells = new KeyCells(state.cells);
    const sums = this.#sumsByLabel(state.stored, cells);
    const valuesOf = (
      names: readonly string[],
      label: string,
      cellsOf: (index: number) => number,
    ): readonly MetricValue[] =>
      [...sums].flatMap(([key, counts]) =>
        names.flatMap((name, index) => {
          const value = counts[cellsOf(index)]!;
          return value === 0 ? [] : [{ value, labels: { key, [label]: name } }];
        }),
      );
    return [
      {
        name: "lamplight_key_requests_total",
        type: "counter",
        help: "Calls of the keys of a key store that were admitted, by name of the key",
        values: valuesOf(meteredNames, "method", requestsOf),
      },
      {
        name: "lamplight_key_cost_units_total",
        type: "counter",
        help: "Cost units of these calls",
        values: valuesOf(meteredNames, "method", unitsOf),
      },
      {
        name: "lamplight_key_refusals_total",
        type: "counter",
        help: "Calls that a limit of their key refused, by reason as in the answer",
        values: valuesOf(keyRefusals, "reason", (index) => refusalOf(keyRefusals[index]!)),
      },
      familyOf("lamplight_key_store_keys", "gauge", "Keys of the key store", state.stored.length),
      familyOf(
        "lamplight_key_store_age_seconds",
        "gauge",
        "Time since the key store could be read",
        state.readAgeSeconds,
      ),
      familyOf(
        "lamplight_key_usage_unsaved_rows",
        "gauge",
        "Rows of calls by key, method and hour that could not be written yet",
        state.usage.unsavedRows,
      ),
    ];
  }

  /** By label, the counts in order of the cells of a key. */
  #sumsByLabel(stored: readonly StoredKey[], cells: KeyCells): ReadonlyMap<string, readonly number[]> {
    const sums = new Map<string, number[]>();
    const size = cellOf(1) - cellOf(0);
    for (const { record, slot } of stored) {
      const counts = Array.from({ length: size }, (_, at) => cells.sum(cellOf(slot) + at));
      if (!hasCalls(counts)) continue;
      const label = this.#labelOf(slot, record.name);
      const sum = sums.get(label);
      sums.set(label, sum === undefined ? counts : sum.map((count, at) => count + counts[at]!));
    }
    return sums;
  }

  #labelOf(slot: number, name: string): string {
    const known = this.#labelled.get(slot);
    if (known !== undefined) return known;
    if (this.#labelled.size >= LABELLED_KEYS_MAX) return otherKeys;
    this.#labelled.set(slot, name);
    return name;
  }
}

const hasCalls = (counts: readonly number[]): boolean =>
  meteredNames.some((_, index) => counts[requestsOf(index)]! > 0) ||
  keyRefusals.some((reason) => counts[refusalOf(reason)]! > 0);
