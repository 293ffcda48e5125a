import type { AssetChange, AssetFacts, BriefChange, BriefFacts, Criterion } from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";

/** Whether an asset meets one of the closed criteria, as `matchesCriterion` says from all of its facts. */
export const matchesClosedCriterion = (criterion: Criterion, facts: BriefFacts): boolean => {
  switch (criterion.kind) {
    case "interface":
      return facts.interface === criterion.interface;
    case "ownerModel":
      return facts.ownerModel === criterion.ownerModel;
    case "royaltyModel":
      return facts.royaltyModel === criterion.royaltyModel;
    case "flag":
      return facts[criterion.flag] === criterion.value;
    case "creatorVerified":
      return criterion.verified ? facts.hasVerifiedCreator : facts.hasUnverifiedCreator;
    case "supply":
      return facts.supply === criterion.supply;
    default:
      throw brokenInvariant(`${criterion.kind} has many values: it is no closed criterion`);
  }
};

/** Shortens changes of stores that do not list them in brief. */
export const inBrief = ({ ordinal, changeSeq, facts }: AssetChange): BriefChange => ({
  ordinal,
  changeSeq,
  facts: facts === null ? null : briefFactsOf(facts),
});

const briefFactsOf = (facts: AssetFacts): BriefFacts => ({
  ...facts,
  hasVerifiedCreator: facts.creators.some(({ verified }) => verified),
  hasUnverifiedCreator: facts.creators.some(({ verified }) => !verified),
});
