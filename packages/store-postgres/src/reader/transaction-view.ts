import {
  answerFrom,
  type AnswerTo,
  type IndexReader,
  type ItemsOfState,
  type MaybePromise,
  type ReadKind,
  type ReadOf,
} from "@lamplight/core";
import type { Session } from "../engine/session.ts";
import type { OpenedHead } from "../queries/read-head.ts";
import { answers } from "./answers.ts";
import { createIndexReader } from "./index-reader.ts";
import { PostgresView, type ViewParts } from "./postgres-view.ts";

/** A view with a transaction, with bulk reads of the index at its slot, for filling a search index and for checks. */
export class PostgresReadView extends PostgresView {
  readonly index: IndexReader;
  readonly #itemsOfState: () => Promise<ItemsOfState | null>;

  constructor(parts: ViewParts & { readonly head: OpenedHead }, session: Session) {
    super(parts);
    this.index = createIndexReader((body) => body(session), this.programs);
    this.#itemsOfState = () => parts.knowledge.items.at(parts.head, session);
  }

  read<Kind extends ReadKind>(asked: ReadOf<Kind>): MaybePromise<AnswerTo<Kind>> {
    return answerFrom<PostgresView, Kind>(answers, this, asked);
  }

  itemsOfState(): Promise<ItemsOfState | null> {
    return this.#itemsOfState();
  }
}
