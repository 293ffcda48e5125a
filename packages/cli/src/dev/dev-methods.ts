import { type FurtherContract, resolveMethods } from "@lamplight/server/command";

/** The option of further methods, in `--help`. */
export const methodsUsage = `  --methods  das also serves the DAS methods, with proofs, under /das/demo; or LAMPLIGHT_METHODS. Experimental`;

/** Options for `parseArgs`. */
export const methodsOptions = { methods: { type: "string" } } as const;

/** @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID` */
export const readDevMethods = (
  given: { readonly methods?: string | undefined },
  environment: NodeJS.ProcessEnv,
): readonly FurtherContract[] =>
  resolveMethods(given.methods, environment["LAMPLIGHT_METHODS"] || undefined) ?? [];
