import { setTimeout as sleep } from "node:timers/promises";
import type { AssetSample } from "@lamplight/indexer";
import { isPassing } from "../store/when-store-available.ts";

/** One asset a second: some milliseconds, also of a store on a slow disk. */
const SAMPLE_EVERY_MS = 1000;
const ASSETS_PER_SAMPLE = 1;
/** Differences that are logged, each with its address. Further ones are counted only. */
const DIFFERENCES_LOGGED_MAX = 100;

export interface AssetSamplesOptions {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Milliseconds between two samples; default: a second. */
  readonly everyMs?: number;
}

/** Compares stored assets with what their accounts make, a few at a time, for as long as a store is followed. */
export class AssetSamples {
  readonly #options: Required<AssetSamplesOptions>;
  #compared = 0;
  #differing = 0;

  constructor(options: AssetSamplesOptions) {
    this.#options = { everyMs: SAMPLE_EVERY_MS, ...options };
  }

  /** Number of comparisons. */
  get compared(): number {
    return this.#compared;
  }

  /** Number of those in which the stored asset differed. An asset counts each time. */
  get differing(): number {
    return this.#differing;
  }

  /** Samples until the signal aborts. A sample that fails ends it, and is logged. */
  async run(sample: (assets: number) => Promise<AssetSample | null>): Promise<void> {
    const { signal, say, everyMs } = this.#options;
    try {
      for (;;) {
        await sleep(everyMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        const found = await sample(ASSETS_PER_SAMPLE).catch(noneWhilePassing);
        if (found !== null) this.#note(found);
      }
    } catch (error) {
      say(`stored assets are not sampled any more: ${String(error)}`);
    }
  }

  #note({ compared, differences }: AssetSample): void {
    this.#compared += compared;
    for (const { id, differing } of differences) {
      this.#differing += 1;
      if (this.#differing > DIFFERENCES_LOGGED_MAX) continue;
      this.#options.say(
        `asset ${id} is not what its accounts make (${differing.join(", ")}); run lamplight explain getAsset ${id}`,
      );
    }
  }
}

const noneWhilePassing = (error: unknown): null => {
  if (isPassing(error)) return null;
  throw error;
};
