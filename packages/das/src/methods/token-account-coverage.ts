import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Coverage } from "@lamplight/core";

/** Whether the store holds every token account of a wallet, of a mint, or of a wallet for a mint. */
export const coversTokenAccounts = (
  coverage: Coverage,
  owner: string | undefined,
  mint: string | undefined,
): boolean =>
  coverage.kind === "whole" ||
  (owner !== undefined && coverage.owners.includes(owner)) ||
  (mint !== undefined && coverage.mints.includes(mint)) ||
  tokenPrograms.every((program) => coverage.programs.includes(program));

const tokenPrograms = [programAddresses.token, programAddresses.token2022].map(encodeAddress);
