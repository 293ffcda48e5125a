import { describeConformance } from "../test/describe-conformance.ts";
import { describeShards } from "../test/shards-under-test.ts";

describeShards("a store of three shards", (newStore) => describeConformance(newStore));
