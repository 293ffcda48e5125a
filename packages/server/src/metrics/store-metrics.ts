import { familyOf, type MetricFamily, storeTallies } from "@lamplight/core";

const counter = (name: string, help: string, value: number): MetricFamily =>
  familyOf(`lamplight_store_${name}_total`, "counter", help, value);

/**
 * What the readers of the store did in this thread. A store in a file has no sessions.
 *
 * ```ts
 * const sessions = storeMetrics().find(({ name }) => name === "lamplight_store_sessions");
 * console.log(sessions?.values);
 * ```
 */
export const storeMetrics = (): readonly MetricFamily[] => {
  const { cachedItems, uncachedItems, sessions, sessionFailures, sessionsOpened } = storeTallies;
  const { sessionTimeouts, sessionWaits } = storeTallies;
  return [
    {
      name: "lamplight_store_cached_items_total",
      type: "counter",
      help: "Items of pages that were looked up in the cache of finished items, by result",
      values: [
        { value: cachedItems, labels: { result: "hit" } },
        { value: uncachedItems, labels: { result: "miss" } },
      ],
    },
    familyOf(
      "lamplight_store_sessions",
      "gauge",
      "Sessions of the database that are open for reads",
      sessions,
    ),
    counter("sessions_opened", "Sessions of the database that were opened for reads", sessionsOpened),
    counter("session_failures", "Attempts to open a session that failed", sessionFailures),
    counter("session_waits", "Reads that waited for a session", sessionWaits),
    counter("session_timeouts", "Reads that got no session in time", sessionTimeouts),
  ];
};
