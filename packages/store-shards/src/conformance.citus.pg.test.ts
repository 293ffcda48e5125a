import { describeCitus } from "../test/citus-under-test.ts";
import { describeConformance } from "../test/describe-conformance.ts";

// An import creates schemas that Citus has not placed.
describeCitus("a store of two shards that Citus places", (newStore) =>
  describeConformance(newStore, { copies: false }),
);
