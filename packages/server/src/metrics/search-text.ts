import type { SearchReport } from "../http/probes.ts";

/** The Prometheus text of the search index in memory; empty where there is none. */
export const searchText = (status: SearchReport | null): string => {
  if (status === null) return "";
  const { isFilling, isRefused, changeSeq, assets, terms, columnBytes, orderBytes, termBytes } = status;
  return `# TYPE lamplight_search_filling gauge
lamplight_search_filling ${isFilling ? 1 : 0}
# TYPE lamplight_search_refused gauge
lamplight_search_refused ${isRefused ? 1 : 0}
# TYPE lamplight_search_change_seq gauge
lamplight_search_change_seq ${changeSeq}
# TYPE lamplight_search_assets gauge
lamplight_search_assets ${assets}
# TYPE lamplight_search_terms gauge
lamplight_search_terms ${terms}
# TYPE lamplight_search_bytes gauge
lamplight_search_bytes{kind="columns"} ${columnBytes}
lamplight_search_bytes{kind="orders"} ${orderBytes}
lamplight_search_bytes{kind="terms"} ${termBytes}
`;
};
