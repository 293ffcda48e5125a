import { AggregatorRegistry, Registry } from "prom-client";
import { familyOf, type MetricFamily } from "@lamplight/core";

import { apiVersion } from "../version.ts";
import type { MetricsFormat } from "./probe-messages.ts";

const contentTypes: Readonly<Record<MetricsFormat, string>> = {
  prometheus: Registry.PROMETHEUS_CONTENT_TYPE,
  openmetrics: Registry.OPENMETRICS_CONTENT_TYPE,
};

/** The units that our names end with. */
const unit = /_(seconds|bytes|slots)$/u;

/**
 * The text of all metrics. Families of the same name, of several threads, become one.
 *
 * @param parts - the families of each thread or part of the process
 */
export const metricsText = async (
  parts: readonly (readonly MetricFamily[])[],
  format: MetricsFormat,
): Promise<{ readonly contentType: string; readonly body: string }> => {
  const isOpen = format === "openmetrics";
  const families = [...parts, [buildInfo]].map((part) =>
    part.map((family) => ({
      ...family,
      // `prom-client` adds the suffix of counters in this format.
      name: isOpen && family.type === "counter" ? family.name.replace(/_total$/u, "") : family.name,
      aggregator: family.aggregator ?? "sum",
    })),
  );
  const registry = AggregatorRegistry.aggregate(families);
  registry.setContentType(contentTypes[format] as never);
  return { contentType: contentTypes[format], body: withUnits(await registry.metrics()) };
};

/** Adds the lines that `prom-client` does not write, and writes NaN as OpenMetrics does. */
const withUnits = (text: string): string =>
  text.replaceAll(/^# TYPE (\S+) .*$/gmu, addUnit).replaceAll(/ Nan$/gmu, " NaN");

const addUnit = (line: string, name: string): string => {
  const [, found] = unit.exec(name.replace(/_total$/u, "")) ?? [];
  return found === undefined ? line : `${line}\n# UNIT ${name} ${found}`;
};

const buildInfo: MetricFamily = {
  ...familyOf("lamplight_build_info", "gauge", "Version of Lamplight and of Node; always 1", 1),
  values: [{ value: 1, labels: { version: apiVersion, node: process.versions.node } }],
};
