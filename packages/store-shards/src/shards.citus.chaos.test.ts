// The same with shards that a real Citus places on its nodes.

import { describeChaos } from "../test/describe-chaos.ts";
import { describeCitus } from "@lamplight/postgres-test";

describeCitus("answers over shards that Citus places", describeChaos);
