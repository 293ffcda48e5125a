export { describePostgres } from "./describe-postgres.ts";
export { startPostgres, type TestPostgres } from "./start-postgres.ts";
