// Prints of master editions in PostgreSQL, as the writer and another process answer them above the finalized slot.

import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, test } from "vitest";
import { expectEditionsOnForks } from "../../../packages/indexer/test/editions-on-forks.ts";
import { onSharedForks } from "../test/shared-store.ts";

const firstSeed = Number(process.env["LAMPLIGHT_EDITIONS_SEED"] ?? 1);

describePostgres("prints next to a writer", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  test.each(
    storePlaces.flatMap(({ kind, urlOf }) =>
      [firstSeed, firstSeed + 1].map((seed) => ({ kind, urlOf, seed })),
    ),
  )(
    "in $kind, seed $seed: both answer every page as the list has it (repeat with LAMPLIGHT_EDITIONS_SEED)",
    ({ urlOf, seed }) => onSharedForks(urlOf(server.url, `editions_${seed}`), seed, expectEditionsOnForks),
  );
});
