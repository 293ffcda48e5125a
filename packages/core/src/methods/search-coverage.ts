import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { AddressBytes } from "../domain/address.ts";
import type { Coverage } from "../domain/coverage.ts";
import { isFactCovered, isFactCriterion } from "../domain/fact-criteria.ts";
import type { AssetQuery, Criterion } from "../domain/search.ts";

/**
 * Whether the store holds every asset that can match. A filtered store does if some criterion that every match must
 * meet lies inside what was loaded.
 */
export const isSearchCovered = (query: AssetQuery, coverage: Coverage): boolean => {
  if (coverage.kind === "whole" || coversEveryAsset(coverage)) return true;
  // One criterion that every match must meet lies inside; under "any" each one has to, since any may match alone.
  const covered =
    query.match === "all"
      ? query.criteria.some((criterion) => coversCriterion(coverage, criterion))
      : query.criteria.length > 0 &&
        query.criteria.every((criterion) => coversCriterion(coverage, criterion));
  return covered && !query.negate;
};

type FilteredCoverage = Extract<Coverage, { kind: "filtered" }>;

/** Programs whose accounts describe assets. A test of the indexer compares them with its rules. */
export const assetPrograms: readonly AddressBytes[] = [
  programAddresses.token,
  programAddresses.token2022,
  programAddresses.tokenMetadata,
  programAddresses.mplCore,
];

const coversEveryAsset = (coverage: FilteredCoverage): boolean =>
  assetPrograms.every((program) => coverage.programs.includes(encodeAddress(program)));

const coversCriterion = (coverage: FilteredCoverage, criterion: Criterion): boolean => {
  if (isFactCriterion(criterion)) return isFactCovered(criterion, coverage);
  switch (criterion.kind) {
    case "owner":
      return coverage.owners.includes(encodeAddress(criterion.owner));
    case "group":
      return criterion.key === "collection" && coverage.collections.includes(criterion.value);
    case "nothing":
      return true;
    default:
      return false;
  }
};
