import { describeCitus } from "../test/citus-under-test.ts";
import { describeConformance } from "../test/describe-conformance.ts";

describeCitus("a store of two shards that Citus places", describeConformance);
