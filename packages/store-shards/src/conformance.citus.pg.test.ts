import { describeCitus } from "@lamplight/postgres-test";
import { describeConformance } from "../test/describe-conformance.ts";

describeCitus("a store of two shards that Citus places", (newStore) => describeConformance(newStore));
