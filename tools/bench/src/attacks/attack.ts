import type { Figure } from "../bench.ts";

/** Sizes of an attack: as much as it takes to see the damage, or a little in `npm test`. */
export interface AttackSizes {
  /** A store of `attack-store.ts`. */
  readonly file: string;
  /** Share of the connections, requests and bytes of the full attack. */
  readonly share: number;
  readonly seed: number;
  /** The checkout whose server is attacked; default: this one. */
  readonly checkout?: string;
  /** Threads that answer (1). */
  readonly workers?: number;
}

/** Something a stranger sends to spend what is not his, and the figures that show what it costs. */
export interface Attack {
  readonly name: string;
  run(sizes: AttackSizes, say: (line: string) => void): Promise<readonly Figure[]>;
}

export const MIB = 2 ** 20;
