import type { RunningServer } from "../start-server.ts";

/** The Prometheus text of a serving process: what callers have run into, and what they hold now. */
export const serverText = (server: Pick<RunningServer, "counts" | "load">): string => {
  const lines = ["# TYPE lamplight_server_events_total counter"];
  for (const [name, count] of Object.entries(server.counts()))
    lines.push(`lamplight_server_events_total{event="${name}"} ${count}`);
  lines.push("# TYPE lamplight_server_held gauge");
  for (const [name, amount] of Object.entries(server.load()))
    lines.push(`lamplight_server_held{resource="${name}"} ${amount}`);
  return `${lines.join("\n")}\n`;
};
