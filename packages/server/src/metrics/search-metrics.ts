import { familyOf, type MetricFamily } from "@lamplight/core";

import type { SearchReport } from "../http/probes.ts";

const gauge = (name: string, help: string, value: number): MetricFamily =>
  familyOf(`lamplight_search_${name}`, "gauge", help, value);

/**
 * The search index in memory; empty where there is none.
 *
 * ```ts
 * const server = await startServer({ viewSource, keys: ["demo"], searchStatus: () => search.status() });
 * console.log(searchMetrics(search.status()).map(({ name }) => name));
 * ```
 */
export const searchMetrics = (status: SearchReport | null): readonly MetricFamily[] => {
  if (status === null) return [];
  const { isFilling, isRefused, changeSeq, assets, terms, columnBytes, orderBytes, termBytes } = status;
  return [
    gauge("filling", "Whether the search index is being filled", isFilling ? 1 : 0),
    gauge(
      "refused",
      "Whether searchAssets is refused until the index is filled or has caught up",
      isRefused === true ? 1 : 0,
    ),
    gauge("change_seq", "Change counter of the store that the search index has reached", changeSeq),
    gauge("assets", "Assets in the search index", assets),
    gauge("terms", "Criteria that the search index keeps", terms),
    {
      name: "lamplight_search_bytes",
      type: "gauge",
      help: "Memory of the search index, by kind",
      values: [
        { value: columnBytes, labels: { kind: "columns" } },
        { value: orderBytes, labels: { kind: "orders" } },
        { value: termBytes, labels: { kind: "terms" } },
      ],
    },
  ];
};
