import { type Contract } from "@lamplight/docs/build";
import { banner } from "../emit-helpers.ts";

/** Codes of our own; account methods answer other ones and name the error in `data.reason`. */
const OWN_CODE_FIRST = -32_079;
const OWN_CODE_LAST = -32_060;

const STATUS_OK = 200;

/**
 * One class and one guard for each error of the contract. A class knows its instances by `kind`: bundles contain only
 * the classes that are used, and two copies of the package on a page know each other's errors.
 */
export const emitErrorClasses = (contract: Contract): string => `${banner}
import { RpcError } from "../errors/rpc-error.ts";
import type { RpcErrorName } from "./error-codes.ts";

const hasKind = (error: unknown, kind: RpcErrorName): boolean =>
  error instanceof Error && (error as Partial<RpcError>).kind === kind;

${Object.keys(contract.components.errors)
  .map(
    (kind) => `/** ${contract["x-errors"][kind]!.meaning} */
export class ${classOf(kind)} extends RpcError {
  /** Stable name of this error, for a \`switch\`. */
  declare readonly kind: "${kind}";
  static override [Symbol.hasInstance](error: unknown): boolean {
    return is${kind}(error);
  }
}
/** Whether \`error\` is a ${classOf(kind)}, also one of another copy of this package. */
export const is${kind} = (error: unknown): error is ${classOf(kind)} => hasKind(error, "${kind}");
`,
  )
  .join("\n")}`;

/** The members that distinguish the errors. */
export const emitErrorKinds = (contract: Contract): string => {
  const errors = Object.entries(contract.components.errors);
  const rows = errors.flatMap(([kind, { code, message }], index) => {
    const isFirst = errors.findIndex((one) => one[1].code === code) === index;
    const reasons = Object.entries(contract["x-errors"][kind]!.names)
      .filter(([, status]) => status === STATUS_OK && code >= OWN_CODE_FIRST && code <= OWN_CODE_LAST)
      .map(([reason]) => reason);
    return [isFirst ? String(code) : message, ...reasons].map(
      (sign) => `  ${JSON.stringify(sign)}: "${kind}",`,
    );
  });
  return `${banner}
import type { RpcErrorName } from "./error-codes.ts";

/** Errors by what \`data.reason\` names, by the message where codes are shared, and by code. */
export const errorKinds: { readonly [sign: string]: RpcErrorName } = {
${rows.join("\n")}
  busy: "Busy",
};
`;
};

/** `AssetNotFound` gives `AssetNotFoundError`, `ParseError` itself. */
const classOf = (kind: string): string => (kind.endsWith("Error") ? kind : `${kind}Error`);
