// The same with shards that a real Citus places on its nodes.

import { describeChaos } from "../test/describe-chaos.ts";
import { describeCitus } from "../test/citus-under-test.ts";

describeCitus("answers over shards that Citus places", describeChaos);
