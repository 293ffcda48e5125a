import { describeProofs } from "../../test/describe-proofs.ts";
import { describeProofsOnForks } from "../../test/describe-proofs-on-forks.ts";
import { withPostgresPlaces } from "../../test/with-postgres-places.ts";

withPostgresPlaces("over PostgreSQL", (openPlace) => {
  describeProofs(openPlace, { leaves: 40, runs: 3 });
  describeProofsOnForks(openPlace, [7, 8]);
});
