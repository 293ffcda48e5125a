import type { ReferenceRequest } from "./requests/request.ts";

/** Answers to one request, masked. */
export interface AnswerPair {
  readonly request: ReferenceRequest;
  readonly ours: string;
  readonly theirs: string;
}

export interface Decision {
  readonly name: string;
  readonly reason: string;
  /** Whether this is all that the answers differ in. */
  readonly explains: (pair: AnswerPair) => boolean;
}

/** Where this project answers otherwise than a validator, and means to. Anything else is wrong. */
const decisions: readonly Decision[] = [];

export const decisionFor = (pair: AnswerPair): Decision | null =>
  decisions.find(({ explains }) => explains(pair)) ?? null;
