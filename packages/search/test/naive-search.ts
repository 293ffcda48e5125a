import {
  type AssetChange,
  type AssetFacts,
  type AssetPosition,
  type AssetQuery,
  type Criterion,
  inheritable,
  isFactCriterion,
  type Ordinal,
  type TermReader,
} from "@lamplight/core";

export interface NaiveHolding {
  readonly owner: Uint8Array;
  readonly mint: Uint8Array;
  readonly positive: boolean;
}

const same = (a: Uint8Array | null, b: Uint8Array): boolean => a !== null && Buffer.compare(a, b) === 0;

/** Everything in a list, every question a loop: what the index must agree with. */
export class NaiveSearch {
  readonly assets = new Map<Ordinal, AssetFacts>();
  readonly log: AssetChange[] = [];
  holdings: readonly NaiveHolding[] = [];

  apply(changes: readonly Omit<AssetChange, "changeSeq">[]): AssetChange[] {
    return changes.map((change) => {
      if (change.facts === null) this.assets.delete(change.ordinal);
      else this.assets.set(change.ordinal, change.facts);
      const logged = { ...change, changeSeq: this.log.length + 1 };
      this.log.push(logged);
      return logged;
    });
  }

  /** As it stands now, for good. */
  copy(): NaiveSearch {
    const copy = new NaiveSearch();
    for (const [ordinal, facts] of this.assets) copy.assets.set(ordinal, facts);
    copy.log.push(...this.log);
    copy.holdings = this.holdings;
    return copy;
  }

  /** Matches in the asked order, whole. */
  ordered(query: Omit<AssetQuery, "start" | "limit">): Ordinal[] {
    const found = [...this.assets].filter(([, facts]) => this.#matches(query, facts));
    const sign = query.direction === "asc" ? 1 : -1;
    return found
      .toSorted(([a, left], [b, right]) => {
        const byId = Buffer.compare(left.id, right.id);
        const order = {
          id: byId,
          none: a - b,
          created: left.createdSlot - right.createdSlot || byId,
          updated: left.updatedSlot - right.updatedSlot || byId,
        };
        return sign * order[query.sort];
      })
      .map(([ordinal]) => ordinal);
  }

  /** The reader that a store would give the index. */
  terms(): TermReader {
    return {
      storeId: "naive",
      changeSeq: this.log.length,
      listOrdinals: async (criterion, limit) => {
        const found = this.ordinalsOf(criterion);
        return found.length > limit ? null : found;
      },
      filterByName: async (ordinals, name) =>
        ordinals.filter((ordinal) =>
          this.assets.get(ordinal)!.name.toLowerCase().includes(name.toLowerCase()),
        ),
      listChanges: async (changeSeq, limit) => this.log.slice(changeSeq, changeSeq + limit),
      nextOrdinal: Math.max(-1, ...this.assets.keys()) + 1,
      readFacts: async (ids) =>
        ids.map((id) => {
          const found = [...this.assets].find(([, facts]) => same(facts.id, id));
          return found === undefined ? null : { ...found[1], ordinal: found[0] };
        }),
      readPositions: async (ordinals) => this.positionsOf(ordinals),
    };
  }

  ordinalsOf(criterion: Criterion): Uint32Array {
    const found = [...this.assets].filter(([, facts]) => this.#meets(criterion, facts));
    return Uint32Array.from(found, ([ordinal]) => ordinal).toSorted();
  }

  positionsOf(ordinals: readonly Ordinal[]): readonly AssetPosition[] {
    return ordinals
      .filter((ordinal) => this.assets.has(ordinal))
      .map((ordinal) => ({ ...this.assets.get(ordinal)!, ordinal }));
  }

  #matches(query: Pick<AssetQuery, "criteria" | "match" | "negate">, facts: AssetFacts): boolean {
    const met = query.criteria.map((criterion) => this.#meetsResolved(criterion, facts));
    const group =
      query.criteria.length === 0 || (query.match === "all" ? met.every(Boolean) : met.some(Boolean));
    return group !== query.negate;
  }

  /** By its own facts, or by those of the collection that it takes them from. */
  #meetsResolved(criterion: Criterion, facts: AssetFacts): boolean {
    return this.#meets(criterion, this.#resolved(facts));
  }

  #resolved(facts: AssetFacts): AssetFacts {
    const { inherits } = facts;
    if (inherits === null) return facts;
    const from = [...this.assets.values()].find(({ id }) => same(id, inherits.from));
    if (from === undefined || from.interface !== "MplCoreCollection") return facts;
    const takes = (fact: number): boolean => (inherits.facts & fact) !== 0;
    return {
      ...facts,
      ...(takes(inheritable.authority) ? { authority: from.authority } : {}),
      ...(takes(inheritable.royalty) ? { basisPoints: from.basisPoints, creators: from.creators } : {}),
      ...(takes(inheritable.frozen) ? { frozen: facts.frozen || from.frozen } : {}),
      ...(takes(inheritable.delegate) ? { delegate: from.authority } : {}),
    };
  }

  #meets(criterion: Criterion, facts: AssetFacts): boolean {
    if (isFactCriterion(criterion)) {
      const { kind, value } = criterion;
      return value instanceof Uint8Array
        ? same(facts[kind] as Uint8Array | null, value)
        : facts[kind] === value;
    }
    switch (criterion.kind) {
      case "owner": {
        const owns = facts.ownerModel === "single" && same(facts.assetOwner, criterion.owner);
        const holds = this.holdings.some(
          (holding) =>
            same(holding.owner, criterion.owner) &&
            facts.ownerModel === "token" &&
            same(facts.supplyMint, holding.mint) &&
            (holding.positive || criterion.includeZero),
        );
        return criterion.ownerModel === "single"
          ? owns
          : criterion.ownerModel === "token"
            ? holds
            : owns || holds;
      }
      case "creator":
        return facts.creators.some(
          ({ address, verified }) =>
            same(address, criterion.creator) && (criterion.verified ?? verified) === verified,
        );
      case "creatorVerified":
        return facts.creators.some(({ verified }) => verified === criterion.verified);
      case "group":
        return facts.groups.some(
          ({ key, value, verified }) =>
            key === criterion.key && value === criterion.value && (criterion.includeUnverified || verified),
        );
      case "royaltyTarget":
        return facts.creators.some(({ address, share }) => share > 0 && same(address, criterion.target));
      case "tokenType": {
        const fungible = ["FungibleToken", "FungibleAsset"].includes(facts.interface);
        const type = criterion.tokenType;
        if (type === "all") return true;
        if (type === "compressedNft") return facts.compressed;
        if (type === "fungible") return fungible;
        return !fungible && (type === "nonFungible" || !facts.compressed);
      }
      case "name":
        return facts.name.toLowerCase().includes(criterion.name.toLowerCase());
      case "inherits":
        return (
          facts.inherits !== null &&
          same(facts.inherits.from, criterion.from) &&
          (facts.inherits.facts & criterion.fact) !== 0
        );
      case "nothing":
        return false;
      default:
        return criterion satisfies never;
    }
  }
}
