import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";

/** Entry of `meta` during a load. Other writers refuse the store, and the next load restarts. */
const key = "unfinished_load";

const find = statement("SELECT value FROM meta WHERE key = $1");
const put = statement(
  "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
);
const remove = statement("DELETE FROM meta WHERE key = $1");

/** An index or a primary key that is built once, over the finished rows, which is several times faster. */
export interface DeferredIndex {
  readonly table: string;
  readonly name: string;
  readonly isKey: boolean;
  /** Statement that makes it. */
  readonly sql: string;
}

/** Indexes that a load has dropped and must build again. */
export interface UnfinishedLoad {
  readonly indexes: readonly DeferredIndex[];
}

export const findUnfinishedLoad = async (session: Session): Promise<UnfinishedLoad | null> => {
  const text = (await session.get(find, key))?.[0];
  return text === undefined ? null : (JSON.parse(text as string) as UnfinishedLoad);
};

export const markUnfinishedLoad = async (session: Session, load: UnfinishedLoad): Promise<void> => {
  await session.run(put, key, JSON.stringify(load));
};

export const unmarkUnfinishedLoad = async (session: Session): Promise<void> => {
  await session.run(remove, key);
};

/** @throws LamplightError `STORE__UNFINISHED` */
export const assertNoUnfinishedLoad = async (session: Session): Promise<void> => {
  if ((await findUnfinishedLoad(session)) !== null) {
    throw new LamplightError("STORE__UNFINISHED", { store: session.store });
  }
};
