export { createDasClient } from "./create-das-client.ts";
export type { DasBatchAnswers, DasCall, DasClient } from "./das-client.ts";
export type { DasMethods } from "./generated/methods.ts";
export type * from "./generated/types.ts";
