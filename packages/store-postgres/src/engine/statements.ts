import type { Session } from "./session.ts";

export type { Row, Value } from "./session.ts";

/** The part of a session that queries use to send their statements. */
export type Statements = Pick<
  Session,
  "all" | "get" | "views" | "texts" | "run" | "execute" | "begin" | "store"
>;
