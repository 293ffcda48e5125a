export { citusPlaces } from "./citus-places.ts";
export { keepWorkersWaiting, moveShard, renameOnWorkers } from "./citus-shards.ts";
export { describeCitus } from "./describe-citus.ts";
export { describePostgres } from "./describe-postgres.ts";
export { findBackupBinaries } from "./postgres-binaries.ts";
export { openReused, reusedStores } from "./reused-stores.ts";
export { startPostgres, type TestPostgres } from "./start-postgres.ts";
export { describePgBouncer, startPgBouncer, type TestPooler } from "./start-pgbouncer.ts";
export { storePlaces } from "./store-places.ts";
