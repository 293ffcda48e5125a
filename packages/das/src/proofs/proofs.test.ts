import { describeProofs } from "../../test/describe-proofs.ts";
import { openFilePlace } from "../../test/proof-store.ts";

describeProofs(openFilePlace, { leaves: 150, runs: 15 });
