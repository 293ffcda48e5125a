/** Does the same in all databases at once. It ends when all have ended, and fails as the first of them that failed. */
export const inEach = async <Database, Result>(
  databases: readonly Database[],
  body: (database: Database, place: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  const done = await Promise.allSettled(databases.map(async (one, place) => body(one, place)));
  return done.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
};
