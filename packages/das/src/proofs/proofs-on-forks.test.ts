import { describeProofsOnForks } from "../../test/describe-proofs-on-forks.ts";
import { openFilePlace } from "../../test/proof-store.ts";

describeProofsOnForks(openFilePlace, [1, 2, 3, 4, 5, 6]);
