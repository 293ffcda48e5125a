export { cloneAccounts, type ClonedAccount } from "./clone-accounts.ts";
export { cloneKinds, type CloneRequest, isEmptyRequest, missingFrom, namedAs } from "./clone-request.ts";
