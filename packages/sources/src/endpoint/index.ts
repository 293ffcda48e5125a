export type { Answer, Endpoint, Outcome, Refusal } from "./endpoint.ts";
export { exactJson } from "./exact-json.ts";
export { openHttpEndpoint } from "./http-endpoint.ts";
