export type * from "./generated/types.ts";
export { matchesParameter, methods, validators } from "./generated/methods.ts";
export {
  methodChecks,
  type MethodParameter,
  type ParameterTable,
  type ValidationIssue,
} from "./method-checks.ts";
export { documentText } from "./generated/document.ts";
export { contractDocument, type ContractDocument, parseDocument } from "./contract-document.ts";
