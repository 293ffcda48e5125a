import type { Coverage, CoverageRequest, FillingProgram, FilteredCoverage } from "@lamplight/core";
import { nameOfStore } from "@lamplight/runtime";
import { exitCodes, parseFlags } from "@lamplight/server/command";
import type { Command } from "../command.ts";
import { coverageStoreUsage, readCoverage, readRequest } from "../coverage/coverage-flags.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";
import { storeUrlOf } from "../store-flag.ts";

const usage = `--store URL [--json]

  --store  ${coverageStoreUsage}
  --json   ${jsonUsage}

Prints what a store covers, what is being added or removed, and what was asked for and waits for the follower.

Example:
  lamplight coverage show --store sqlite:chain.db`;

export const coverageShowCommand: Command = {
  name: "coverage show",
  summary: "print what a store covers, and what is being added to it or removed",
  usage,
  run: async (args) => {
    const values = parseFlags(args, { store: { type: "string" }, ...jsonOption });
    const url = storeUrlOf(values);
    const [coverage, request] = [await readCoverage(url), await readRequest(url)];
    const store = nameOfStore(url);
    createOutput(values.json).result({ event: "coverage", store, coverage, request }, [
      ...coverageLines(coverage),
      ...requestLines(request),
    ]);
    return exitCodes.done;
  },
};

const coverageLines = (coverage: Coverage): readonly string[] =>
  coverage.kind === "whole" ? ["the whole chain"] : filteredLines(coverage);

const filteredLines = ({
  programs,
  owners,
  mints,
  collections,
  accounts = [],
  trees = [],
  dumps,
  everyProgram,
  filling = [],
  dropping = [],
}: FilteredCoverage): readonly string[] => [
  ...(everyProgram === true ? ["every program that the followed node lists"] : []),
  ...(dumps === true ? ["the accounts of dumps"] : []),
  ...programs.map((program) => `program ${program}`),
  ...owners.map((owner) => `owner ${owner}`),
  ...mints.map((mint) => `mint ${mint}`),
  ...collections.map((collection) => `collection ${collection}`),
  ...accounts.map((account) => `account ${account}`),
  ...trees.map((tree) => `tree ${tree}`),
  ...filling.map((one) => `program ${one.program} is being added: ${fillingText(one)}`),
  ...dropping.map(({ program }) => `program ${program} was dropped; its rows are being removed`),
];

const fillingText = ({ since, accounts, total, problem }: FillingProgram): string => {
  if (problem !== null) return problem;
  if (since === null) return "the stream is asked for it";
  return total === null
    ? `its writes are kept from slot ${since} on; its accounts are being read`
    : `${accounts} of ${total} accounts`;
};

const requestLines = ({ add, drop, trees = [] }: CoverageRequest): readonly string[] => [
  ...add.map((program) => `asked for: program ${program} is to be added`),
  ...drop.map((program) => `asked for: program ${program} is to be dropped`),
  ...trees.map((tree) => `asked for: the transactions of tree ${tree} are to be read`),
];
