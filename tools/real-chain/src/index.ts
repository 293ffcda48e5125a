export type { Bank } from "./bank/bank.ts";
export { LiteBank } from "./bank/lite-bank.ts";
export { seededSigner } from "./bank/seeded-signer.ts";
export { tokenPrograms } from "./stories/create-mint.ts";
export { Tally } from "./stories/tally.ts";
export { tellTokenStory } from "./stories/token-story.ts";
