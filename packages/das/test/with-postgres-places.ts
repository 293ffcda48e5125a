import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { afterAll, beforeAll } from "vitest";
import type { OpenedPlace } from "./proof-store.ts";

/** Runs tests with a server of their own; `openPlace` opens an empty store of it. */
export const withPostgresPlaces = (
  name: string,
  body: (openPlace: () => Promise<OpenedPlace>) => void,
): void => {
  describePostgres(name, () => {
    let server: TestPostgres;
    let places = 0;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => {
      await server?.stop();
    });
    body(async () => {
      const url = `${server.url}?schema=place_${(places += 1)}`;
      const store = await openPostgresStore({ url, mode: "write" });
      const reader = await openPostgresReader({ url });
      return {
        store,
        reader,
        shared: { writer: store, reader },
        close: async () => {
          reader.close();
          await store.close();
        },
      };
    });
  });
};
