import { familyOf, type MetricFamily } from "@lamplight/core";
import type { FetchCounts } from "@lamplight/offchain";

/** The metrics of `fetch documents`. */
export const documentMetrics = (counts: FetchCounts): readonly MetricFamily[] => {
  const { fetched, changed, failed, retried, pruned, outcomes, states } = counts;
  return [
    counter("fetched", "Attempts to fetch a document that ended", fetched),
    counter("changed", "Documents that are new, or differ from the last version", changed),
    counter("failed", "Attempts after which a document is failed or gone", failed),
    counter("retries", "Attempts at a document after one that failed", retried),
    counter("pruned", "Documents removed because no asset names them any more", pruned),
    {
      ...familyOf("lamplight_documents_attempts_total", "counter", "Attempts by how they ended", 0),
      values: Object.entries(outcomes).map(([outcome, value]) => ({ value, labels: { outcome } })),
    },
    {
      ...familyOf("lamplight_documents_uris", "gauge", "URIs that assets name, by state", 0),
      values: Object.entries(states ?? {}).map(([state, value]) => ({ value, labels: { state } })),
    },
  ];
};

const counter = (name: string, help: string, value: number): MetricFamily =>
  familyOf(`lamplight_documents_${name}_total`, "counter", help, value);
