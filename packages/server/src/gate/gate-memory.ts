import { createGuessesMemory, type GuessesMemory } from "./key-guesses.ts";
import { clearCells, type CellsMemory, createCellsMemory } from "./shared-cells.ts";

/** The names of what all workers of a process count together, in memory that they share. */
const counted = [
  "connections",
  "answers",
  "bodies",
  "smallBodies",
  "waiting",
  "places",
  "batchPlaces",
  "placeWaiters",
  "compressions",
] as const;

export type CountedMemory = Readonly<Record<(typeof counted)[number], CellsMemory>>;

export interface GateMemory extends CountedMemory {
  readonly guesses: GuessesMemory;
}

/** One of several servers of a process, which count together. */
export interface WorkerGate {
  readonly memory: GateMemory;
  /** Number of this server among them, from 0. */
  readonly worker: number;
}

/** Keys, and addresses of keys, that hold something at once. More of them share cells, and count as one. */
const HOLDERS = 4096;

export const createGateMemory = (connections: number, workers: number): GateMemory =>
  ({
    ...Object.fromEntries(
      counted.map((name) => [
        name,
        createCellsMemory(name === "connections" ? connections : HOLDERS, workers),
      ]),
    ),
    guesses: createGuessesMemory(),
  }) as unknown as GateMemory;

/** Forgets what a worker held that is gone. */
export const clearGate = (memory: GateMemory, worker: number): void => {
  for (const name of counted) clearCells(memory[name], worker);
};
