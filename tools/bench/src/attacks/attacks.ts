import type { Bench, Figure } from "../bench.ts";
import { inRounds, ratioFigure, ratiosOf } from "../harness/rounds.ts";
import { thisCheckout } from "../harness/serve.ts";
import type { Attack } from "./attack.ts";
import { attackStore } from "./attack-store.ts";
import { largeDocuments, manyContracts, wrongParameters } from "./calls.ts";
import { collectionUpdates } from "./collection-updates.ts";
import { crowd, guessedKeys, heldViews, slowBodies, untakenAnswers } from "./crowds.ts";
import { overload } from "./overload.ts";
import { unreadAnswers, unreadDocuments, unreadSearches } from "./unread.ts";

/** Sent to a server. H1 and H3 are the bench `turns`. */
const served: readonly Attack[] = [
  unreadDocuments,
  unreadSearches,
  largeDocuments,
  unreadAnswers,
  heldViews,
  crowd,
  slowBodies,
  guessedKeys,
  untakenAnswers,
  wrongParameters,
  manyContracts,
  overload,
];

/** What callers share is one total of all workers. */
const WORKERS = 2;
const ofWorkers: readonly Attack[] = [crowd, slowBodies, guessedKeys, untakenAnswers];

/** Two builds are attacked with so much of an attack in each round, and so often. */
const AGAINST_SHARE = 0.1;

/** Runs only when named; the chaos bench runs it too. */
export const attacksBench: Bench = {
  name: "attacks",
  about: "what strangers can make a server spend, and that it stays within its bounds",
  async run(say): Promise<readonly Figure[]> {
    const file = await attackStore(say);
    const seed = seedFor(say);
    const figures: Figure[] = [];
    for (const attack of [...served, collectionUpdates]) {
      say(attack.name);
      figures.push(...(await attack.run({ file, share: 1, seed }, say)));
    }
    for (const attack of ofWorkers) {
      say(`${attack.name}, ${WORKERS} workers`);
      for (const figure of await attack.run({ file, share: 1, seed, workers: WORKERS }, say))
        figures.push({ ...figure, name: `${figure.name} (${WORKERS} workers)` });
    }
    return figures;
  },
  async against({ checkout, rounds }, say): Promise<readonly Figure[]> {
    const file = await attackStore(say);
    const seed = seedFor(say);
    const figures: Figure[] = [];
    for (const attack of served) {
      const measured = await inRounds(
        rounds,
        [thisCheckout, checkout],
        (one, round) => attack.run({ file, share: AGAINST_SHARE, seed: seed + round, checkout: one }, say),
        (_, round) => say(`${attack.name}, round ${round + 1} of ${rounds}`),
      );
      figures.push(...ratiosOfFigures(measured[0]!, measured[1]!));
    }
    return figures;
  },
};

const seedFor = (say: (line: string) => void): number => {
  const seed = Number(process.env["LAMPLIGHT_ATTACK_SEED"] ?? Date.now() % 2 ** 31);
  say(`LAMPLIGHT_ATTACK_SEED=${seed}`);
  return seed;
};

/** Figures that can be zero have no ratio. */
const ratiosOfFigures = (
  ours: readonly (readonly Figure[])[],
  theirs: readonly (readonly Figure[])[],
): readonly Figure[] =>
  ours[0]!.flatMap(({ name }, index) => {
    const ratios = ratiosOf(ours, theirs, (figures) => figures[index]!.value);
    return ratios.every(Number.isFinite) ? [ratioFigure(`${name}, this / other`, ratios)] : [];
  });
