export type * from "./generated/types.ts";
export {
  matchesParameter,
  type MethodParameter,
  methods,
  type ValidationIssue,
  validators,
} from "./generated/methods.ts";
export { documentText } from "./generated/document.ts";
export { contractDocument, type ContractDocument, parseDocument } from "./contract-document.ts";
