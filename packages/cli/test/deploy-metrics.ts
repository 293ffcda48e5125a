// The metrics that the alert rules and the dashboard of deploy/ name.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const folder = new URL("../deploy/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

export const alertsFile = fileURLToPath(new URL("prometheus/alerts.yaml", folder));
export const runbook = read("RUNBOOK.md");

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

const rules = parse(read("prometheus/alerts.yaml")) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
export const alerts = rules.groups.flatMap((group) => group.rules);

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}
const { panels } = JSON.parse(read("grafana/lamplight.json")) as { readonly panels: readonly Panel[] };
const panelTargets = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Every expression of the rules and the dashboard. */
export const queries = [...alerts.map(({ expr }) => expr), ...panelTargets];

/** Every metric of ours or of the process that a query names. */
export const namedMetrics: ReadonlySet<string> = new Set(
  queries.flatMap((query) => query.match(/\b(?:lamplight|nodejs|process)_\w+/gu) ?? []),
);

/** Only a process that follows an RPC node has these. */
export const isOfRpc = (name: string): boolean => name.startsWith("lamplight_follow_rescan_");

/** The names of all samples that a text of metrics declares. */
export const declaredMetrics = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)).flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
