import type { AnswerTo, ReadKind, ReadOf } from "./reads.ts";
import type { MaybePromise } from "./when-ready.ts";

/** The functions by which views of one class answer each kind of read. A kind without an entry is a compile error. */
export type Answers<View> = {
  readonly [Kind in ReadKind]: (view: View, asked: ReadOf<Kind>) => MaybePromise<AnswerTo<Kind>>;
};

/** @throws what the entry throws */
export const answerFrom = <View, Kind extends ReadKind>(
  answers: Answers<View>,
  view: View,
  asked: ReadOf<Kind>,
): MaybePromise<AnswerTo<Kind>> =>
  (answers[asked.kind] as (of: View, one: ReadOf<Kind>) => MaybePromise<AnswerTo<Kind>>)(view, asked);
