import type { Session } from "./session.ts";

/** Runs `body` in one transaction, which is committed or rolled back as a whole. */
export const inTransaction = async <Result>(
  session: Session,
  body: (session: Session) => Promise<Result>,
  begin = "BEGIN",
): Promise<Result> => {
  try {
    await session.execute(begin);
    const result = await body(session);
    await session.execute("COMMIT");
    return result;
  } catch (error) {
    // Where the session itself failed, its end is the end of the transaction.
    if (session.isUsable) await session.execute("ROLLBACK");
    throw error;
  }
};
