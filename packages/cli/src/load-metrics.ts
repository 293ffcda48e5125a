import { familyOf, type MetricFamily } from "@lamplight/core";
import type { Progress, StageReporter } from "@lamplight/runtime";

import { type MeasuredRun, probeAnswer } from "./metrics-flags.ts";

interface LoadState {
  readonly stage: string;
  /** 0 to 1; null when not known. */
  readonly share: number | null;
  readonly items?: number;
  readonly bytes?: number;
}

/** How far a load is, for `/metrics`. It sees what the progress on stderr is made of. */
export class LoadMetrics implements MeasuredRun {
  #state: LoadState = { stage: "starting", share: null };
  #stageSinceMs = performance.now();

  readonly metrics = (): readonly (readonly MetricFamily[])[] => [this.#families()];
  /** A store that is being loaded answers nothing yet. */
  readonly readiness = () => probeAnswer(false, "loading");

  /** Also reports here what a reporter of stages gets. */
  watchStages(reporter: StageReporter): StageReporter {
    return {
      ...reporter,
      update: (state) => {
        const { accounts: items, stage, share, bytes } = state;
        this.#note({
          stage,
          share,
          ...(items !== undefined && { items }),
          ...(bytes !== undefined && { bytes }),
        });
        reporter.update(state);
      },
    };
  }

  /** Does the same for a progress without stages. */
  watchProgress(progress: Progress): Progress {
    return {
      ...progress,
      update: (state) => {
        const { done, total, count } = state;
        this.#note({ stage: "load", share: total === 0 ? 1 : done / total, items: count, bytes: done });
        progress.update(state);
      },
    };
  }

  /** Notes the items that are done, of a load that does not know how many there are. */
  noteItems(stage: string, items: number): void {
    this.#note({ stage, share: null, items });
  }

  #note(state: LoadState): void {
    if (state.stage !== this.#state.stage) this.#stageSinceMs = performance.now();
    this.#state = state;
  }

  #families(): readonly MetricFamily[] {
    const { stage, share, items = 0, bytes = 0 } = this.#state;
    const seconds = (performance.now() - this.#stageSinceMs) / 1000;
    return [
      {
        ...familyOf("lamplight_load_stage", "gauge", "The stage of the load, as a label; always 1", 1),
        values: [{ value: 1, labels: { stage } }],
      },
      familyOf(
        "lamplight_load_stage_ratio",
        "gauge",
        "Share of the stage that is done; NaN while not known",
        share ?? NaN,
      ),
      familyOf("lamplight_load_stage_age_seconds", "gauge", "Time since the stage began", seconds),
      familyOf(
        "lamplight_load_stage_items",
        "gauge",
        "Accounts or other items of the stage that are done",
        items,
      ),
      familyOf("lamplight_load_stage_bytes", "gauge", "Bytes of the stage that are done", bytes),
    ];
  }
}
