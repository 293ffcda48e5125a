import { isLamplightError, LamplightError } from "@lamplight/errors";
import { READ_STATEMENT_TIMEOUT_MS } from "./settings.ts";

// Classes and codes of SQLSTATE, from PostgreSQL's appendix A.
const connectionExceptions = /^(?:08|57P0[1-5]|53300|40001|25P03|25P04|28)/u;
const queryCanceled = "57014";
const diskFull = "53100";
const readOnlyTransaction = "25006";
const noPrivilege = "42501";
const noSuchDatabase = "3D000";
const lockNotAvailable = "55P03";
/** Error of an older server for an unknown setting. */
const undefinedObject = "42704";
const dataCorrupted = /^XX00[12]$/u;
/** Codes of Node for sockets and names. */
const networkErrors = /^E(?:CONN\w*|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOENT)$/u;
/** Errors of the driver that have no code. */
const driverErrors =
  /^(?:Connection (?:terminated|broken)|Client |timeout expired|Query read timeout|The server does not support SSL)/u;

/** @param reason - what the role may not do, in the words of the server */
export const noPrivilegeError = (store: string, reason: string, options: ErrorOptions = {}): LamplightError =>
  new LamplightError(
    "STORE__READ_ONLY",
    {
      store,
      reason: `${reason}; grant it to the role, or use another one (packages/cli/deploy/roles.sql has the grants)`,
    },
    options,
  );

/**
 * Turns an error of the server, the network or the driver into one of the registry. Other errors are returned
 * unchanged.
 */
export const translateEngineError = (error: unknown, store: string): unknown => {
  if (isLamplightError(error) || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const options = { cause: error };
  const reason = error.message === "" ? code : error.message;
  if (connectionExceptions.test(code) || networkErrors.test(code) || driverErrors.test(error.message)) {
    return new LamplightError("STORE__UNREACHABLE", { store, reason }, options);
  }
  if (dataCorrupted.test(code)) return new LamplightError("STORE__CORRUPT", { store, reason }, options);
  switch (code) {
    case queryCanceled:
      return new LamplightError(
        "QUERY__OVER_BUDGET",
        { reason: `it took longer than ${READ_STATEMENT_TIMEOUT_MS} ms`, cheaper: "ask for fewer rows" },
        options,
      );
    case diskFull:
      return new LamplightError("STORE__FULL", { store }, options);
    case readOnlyTransaction:
      return new LamplightError(
        "STORE__READ_ONLY",
        { store, reason: `${reason}; use a role that may write, on a server that is no standby` },
        options,
      );
    case noPrivilege:
      return noPrivilegeError(store, reason, options);
    case lockNotAvailable:
      return new LamplightError("STORE__LOCKED", { store }, options);
    case undefinedObject:
      return new LamplightError(
        "STORE__NOT_A_STORE",
        { store, reason: `${reason}; PostgreSQL 14 or newer is needed` },
        options,
      );
    case noSuchDatabase:
      return new LamplightError("STORE__MISSING", { store, creator: "createdb of PostgreSQL" }, options);
    default:
      return error;
  }
};
