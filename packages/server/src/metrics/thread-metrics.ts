import { collectDefaultMetrics, Registry } from "prom-client";
import type { MetricFamily } from "@lamplight/core";

/** They describe the whole process, also when a worker asks. */
const ofProcess = /^(?:process_|nodejs_version)/u;
/** They list every open socket each time they are read; `lamplight_connections` counts those. */
const costly = /^nodejs_active_/u;
/** Of several threads, the slowest one counts. */
const lag = /^nodejs_eventloop_lag_/u;

/** Measures this thread: its heap, its garbage collection and the delay of its event loop. The main thread also measures the process. */
export class ThreadMetrics {
  readonly #registry = new Registry();

  constructor(isMain: boolean) {
    collectDefaultMetrics({ register: this.#registry });
    for (const { name } of this.#registry.getMetricsAsArray())
      if (costly.test(name) || (!isMain && ofProcess.test(name))) this.#registry.removeSingleMetric(name);
  }

  /** The metrics as plain data. */
  async families(): Promise<readonly MetricFamily[]> {
    const families = (await this.#registry.getMetricsAsJSON()) as unknown as readonly MetricFamily[];
    return families.map((family) => {
      if (ofProcess.test(family.name)) return { ...family, aggregator: "first" };
      if (!lag.test(family.name)) return family;
      return { ...family, aggregator: family.name.includes("_min_") ? "min" : "max" };
    });
  }
}
