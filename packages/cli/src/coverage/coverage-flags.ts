import {
  isChangeable,
  parseCoverageRequest,
  type CoverageRequest,
  withRequest,
  withTrees,
  writeCoverageRequest,
} from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { engineOf, nameOfStore, openStoreForReading } from "@lamplight/runtime";
import { parseFlags } from "@lamplight/server/command";
import { readAddresses } from "../address-words.ts";
import { jsonOption } from "../output.ts";
import { storeUrlOf } from "../store-flag.ts";

export const coverageStoreUsage =
  "store that is followed, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE, or LAMPLIGHT_STORE";

/** @throws LamplightError `CLI__USAGE` */
export const readChangeFlags = (args: readonly string[]) => {
  const values = parseFlags(args, {
    store: { type: "string" },
    program: { type: "string", multiple: true },
    tree: { type: "string", multiple: true },
    owner: { type: "string", multiple: true },
    mint: { type: "string", multiple: true },
    collection: { type: "string", multiple: true },
    ...jsonOption,
  });
  for (const set of ["owner", "mint", "collection"] as const)
    if (values[set] !== undefined)
      throw usageError(
        `--${set} cannot be changed in a followed store: a stream does not report what leaves such a set; load a new store with lamplight load snapshot --${set}`,
      );
  const programs = readAddresses("--program", values.program);
  const trees = readAddresses("--tree", values.tree);
  if (programs.length + trees.length === 0) throw usageError("name at least one --program or --tree");
  return { url: storeUrlOf(values), programs, trees, json: values.json };
};

/**
 * Asks the process that follows into a store for a change, in addition to what is asked for already.
 *
 * @throws LamplightError `CLI__USAGE` where the coverage of the store cannot be changed; of the STORE family
 */
export const requestChange = async (
  url: string,
  more: Pick<CoverageRequest, "add" | "drop">,
  trees: Pick<CoverageRequest, "add" | "drop">,
): Promise<void> => {
  const { requestCoverage } = engineOf(url);
  if (typeof requestCoverage === "string") throw usageError(requestCoverage);
  if (more.add.length + more.drop.length > 0) await assertChangeable(url);
  await requestCoverage(url, (known) =>
    writeCoverageRequest(withTrees(withRequest(parseCoverageRequest(known), more), trees)),
  );
};

/** A number with what it counts. */
export const counted = ({ length }: readonly string[], what: string): string =>
  `${length} ${what}${length === 1 ? "" : "s"}`;

/** Reads the request that waits for the process that follows. */
export const readRequest = async (url: string): Promise<CoverageRequest> =>
  parseCoverageRequest(await engineOf(url).readCoverageRequest(url));

/** The coverage of a store at its newest finalized slot. */
export const readCoverage = async (url: string) => {
  const reader = await openStoreForReading(url);
  try {
    const view = await reader.openView("finalized");
    view.close();
    return view.coverage;
  } finally {
    reader.close();
  }
};

const assertChangeable = async (url: string): Promise<void> => {
  const coverage = await readCoverage(url);
  if (coverage.kind === "whole")
    throw usageError(`${nameOfStore(url)} covers the whole chain; load a store of some programs instead`);
  if (!isChangeable(coverage))
    throw usageError(
      `${nameOfStore(url)} does not consist of whole programs and single accounts; load it again with what it is to cover`,
    );
};
