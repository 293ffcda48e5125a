import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll } from "vitest";

/** The server and the places that a test of this store runs against. */
export interface PostgresUnderTest {
  /** The server, which a test may crash. */
  readonly server: TestPostgres;
  /** URL of an empty place. */
  newStore(): string;
}

/** `describe` with a server of its own; `under` may be asked from within tests and hooks. */
export const describeWithPostgres = (name: string, body: (under: () => PostgresUnderTest) => void): void => {
  describePostgres(name, () => {
    let server: TestPostgres;
    let stores = 0;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => {
      await server?.stop();
    });
    body(() => ({ server, newStore: () => `${server.url}?schema=store_${(stores += 1)}` }));
  });
};
