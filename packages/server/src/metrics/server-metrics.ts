import { familyOf, type MetricFamily } from "@lamplight/core";

import type { ServerEvent } from "../log/server-events.ts";
import type { RunningServer } from "../start-server.ts";

/** HTTP status of the refusal that an event is, and the label of its reason. */
const refusals: Readonly<Partial<Record<ServerEvent, readonly [status: number, reason: string]>>> = {
  wrongKeys: [401, "wrong_key"],
  slowedKeys: [429, "wrong_keys_before"],
  refusedKeys: [403, "key"],
  hostsRefused: [421, "host"],
  addressFull: [503, "address_full"],
  connectionsFull: [503, "connections_full"],
  refusedRequests: [503, "waiting_requests"],
  overOwed: [503, "unread_answers"],
  overBodies: [503, "request_bodies"],
  overloaded: [503, "overload"],
};

/** Events after which a connection was closed or could not be accepted. */
const disconnections: Readonly<Partial<Record<ServerEvent, string>>> = {
  slowReaders: "slow_reader",
  idleConnections: "idle",
  descriptors: "no_descriptor",
};

const waiting = (reason: string, value: number) => ({ value: Math.max(0, value), labels: { reason } });

/**
 * What callers have run into, and what they hold now.
 *
 * ```ts
 * const server = await startServer({ viewSource, keys: ["demo"] });
 * const [refused] = serverMetrics(server);
 * console.log(refused!.name, refused!.values);
 * ```
 */
export const serverMetrics = (server: Pick<RunningServer, "counts" | "load">): readonly MetricFamily[] => {
  const counts = Object.entries(server.counts()) as [ServerEvent, number][];
  const load = server.load();
  const { connections, waitingRequests, waitingCalls, owedBytes, bodiesBytes, readViews } = load;
  return [
    {
      name: "lamplight_refusals_total",
      type: "counter",
      help: "Requests, connections and calls of batches that were refused, by reason and HTTP status of such a refusal",
      values: counts.flatMap(([event, value]) => {
        const refusal = refusals[event];
        return refusal === undefined ? [] : [{ value, labels: { status: refusal[0], reason: refusal[1] } }];
      }),
    },
    {
      name: "lamplight_disconnections_total",
      type: "counter",
      help: "Connections that were closed or not accepted, by reason",
      values: counts.flatMap(([event, value]) => {
        const reason = disconnections[event];
        return reason === undefined ? [] : [{ value, labels: { reason } }];
      }),
    },
    familyOf("lamplight_connections", "gauge", "Open connections", connections),
    {
      name: "lamplight_requests_waiting",
      type: "gauge",
      help: "Requests that wait now: behind others of their connection, to be started, or for a read view",
      values: [
        waiting("connection", waitingRequests - waitingCalls),
        waiting("start", waitingCalls - load.waitingForView),
        waiting("read_view", load.viewQueue),
      ],
    },
    familyOf("lamplight_read_views", "gauge", "Read views of the store that requests hold", readViews),
    familyOf(
      "lamplight_unread_answer_bytes",
      "gauge",
      "Bytes of answers that callers have not read",
      owedBytes,
    ),
    familyOf(
      "lamplight_request_body_bytes",
      "gauge",
      "Bytes of request bodies that are being received or answered",
      bodiesBytes,
    ),
  ];
};
