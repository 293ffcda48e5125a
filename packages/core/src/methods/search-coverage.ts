import { assetPrograms, encodeAddress } from "@lamplight/codecs";
import type { Coverage, FilteredCoverage } from "../domain/coverage.ts";
import { descriptionOf } from "../domain/criteria.ts";
import type { AssetQuery } from "../domain/search.ts";

/**
 * Whether the store holds every asset that can match. A filtered store does if some criterion that every match must
 * meet lies inside what was loaded.
 */
export const isSearchCovered = (query: AssetQuery, coverage: Coverage): boolean => {
  if (coverage.kind === "whole" || coversEveryAsset(coverage)) return true;
  // One criterion that every match must meet lies inside; under "any" each one has to, since any may match alone.
  const covered =
    query.match === "all"
      ? query.criteria.some((criterion) => descriptionOf(criterion).isCovered(criterion, coverage))
      : query.criteria.length > 0 &&
        query.criteria.every((criterion) => descriptionOf(criterion).isCovered(criterion, coverage));
  return covered && !query.negate;
};

const coversEveryAsset = (coverage: FilteredCoverage): boolean =>
  assetPrograms.every((program) => coverage.programs.includes(encodeAddress(program)));
