import { commitments, type ViewSource } from "@lamplight/core";
import type { ChainSimulation, Random } from "@lamplight/devchain";
import { expect } from "vitest";
import { answerOver } from "./chain-model.ts";
import { type Call, randomCall } from "./random-call.ts";

export interface Comparison {
  readonly real: ViewSource;
  readonly model: ViewSource;
  readonly random: Random;
  readonly simulation: ChainSimulation;
  readonly calls: number;
  /** Makes a call to ask; default: any of every method. */
  readonly callOf?: (random: Random, simulation: ChainSimulation) => Call;
}

/** Asks the real thing and a naive model the same, at every commitment: each answer and each refusal is one. */
export const expectSameAnswers = async (comparison: Comparison): Promise<void> => {
  const { real, model, random, simulation, calls, callOf = randomCall } = comparison;
  const assetCommitment = commitments[random.below(commitments.length)]!;
  for (let index = 0; index < calls; index += 1) {
    const call = callOf(random, simulation);
    const question = `${call.method} ${JSON.stringify(call.params)} ${assetCommitment}`;
    const answer = await answerOver(real, call, { assetCommitment });
    const wanted = await answerOver(model, call, { assetCommitment });
    expect(`${question}: ${answer}`).toBe(`${question}: ${wanted}`);
  }
};
