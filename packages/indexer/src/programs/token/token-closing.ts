import { isTokenProgram } from "@lamplight/codecs";
import type { Instruction } from "@lamplight/core";
import type { ClosingRule } from "../../rules/rules.ts";

const CLOSE_ACCOUNT = 9;

/**
 * CloseAccount of either token program, at any call depth: token accounts, and mints of Token-2022. Like the programs,
 * it reads the first byte only.
 */
export const tokenClosingRule: ClosingRule = {
  name: "token-closing",
  readClosed: (transaction) =>
    transaction.groups
      .flatMap(({ outer, inner }) => [outer, ...inner])
      .filter(isClosing)
      .flatMap((instruction) => instruction.accounts.slice(0, 1)),
};

const isClosing = ({ programAddress, data }: Instruction): boolean =>
  data[0] === CLOSE_ACCOUNT && isTokenProgram(programAddress);
