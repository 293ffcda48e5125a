// A store of three plain databases without any common commit or snapshot: every answer of a view is that of its slot.

import { describeChaos } from "../test/describe-chaos.ts";
import { describeShards } from "../test/shards-under-test.ts";

describeShards("answers over three databases", describeChaos);
