import type { Bench, Figure } from "../bench.ts";
import type { Attack } from "./attack.ts";
import { attackStore } from "./attack-store.ts";
import { heldViews, largeDocuments, manyContracts, wrongParameters } from "./calls.ts";
import { collectionUpdates } from "./collection-updates.ts";
import { overload } from "./overload.ts";
import { unreadAnswers, unreadDocuments, unreadSearches } from "./unread.ts";

/** H1 and H3 are the bench `turns`. */
const attacks: readonly Attack[] = [
  unreadDocuments,
  unreadSearches,
  collectionUpdates,
  largeDocuments,
  unreadAnswers,
  heldViews,
  wrongParameters,
  manyContracts,
  overload,
];

/** Runs only when named; the chaos bench runs it too. */
export const attacksBench: Bench = {
  name: "attacks",
  about: "what strangers can make a server spend, and that it stays within its bounds",
  async run(say): Promise<readonly Figure[]> {
    const file = await attackStore(say);
    const seed = Number(process.env["LAMPLIGHT_ATTACK_SEED"] ?? Date.now() % 2 ** 31);
    say(`LAMPLIGHT_ATTACK_SEED=${seed}`);
    const figures: Figure[] = [];
    for (const attack of attacks) {
      say(attack.name);
      figures.push(...(await attack.run({ file, share: 1, seed }, say)));
    }
    return figures;
  },
};
