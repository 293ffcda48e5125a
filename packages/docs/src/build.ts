/** For the tools of this repository, which read these sources. The published package exports only `docsDirectory`. */
export {
  type Contract,
  type ContractExample,
  type ContractMethod,
  examplesOf,
  type MethodExamples,
  parametersOf,
  isUint64,
  referenceOf,
  type RefusedRequestExample,
  type Schema,
  withoutNull,
} from "./contract-model.ts";
export { parseKeepingText } from "./exact-json.ts";
export { siteFiles, writeSite } from "./site.ts";
