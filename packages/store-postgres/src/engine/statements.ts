import type { Session } from "./session.ts";

export type { Row, Value } from "./session.ts";

/** How queries send their statements: a session, of which they know nothing else. */
export type Statements = Pick<Session, "all" | "get" | "views" | "texts" | "run" | "execute" | "store">;
