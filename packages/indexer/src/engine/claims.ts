import { sameBytes } from "@lamplight/codecs";
import type { Account, AccountState, AddressBytes } from "@lamplight/core";
import type { AccountClaim, AccountRule, KnownAccount } from "../rules/rules.ts";
import { AddressMap } from "./address-map.ts";
import { CLAIMS_REMEMBERED_MAX } from "./limits.ts";
import { type LifeRank, lifeRanks } from "./merge-version.ts";

/** A known account with what it says. */
export interface StandingClaim extends KnownAccount {
  readonly claim: AccountClaim;
}

/** Reads the claims of accounts by the rules of their programs. */
export class ClaimReader {
  readonly #rules = new AddressMap<AccountRule>();
  /** A version is asked several times on its way: when it comes, as what was before, and when assets are derived. */
  readonly #known = new Map<Account, AccountClaim | null>();

  constructor(rules: readonly AccountRule[]) {
    for (const rule of rules) for (const program of rule.programs) this.#rules.set(program, rule);
  }

  ruleOf(program: AddressBytes): AccountRule | undefined {
    return this.#rules.get(program);
  }

  /** Null for accounts that do not exist and accounts that say nothing. */
  read(account: Account): AccountClaim | null {
    if (account.lamports === 0n) return null;
    const known = this.#known.get(account);
    if (known !== undefined) return known;
    const claim = this.#rules.get(account.programOwner)?.claim(account) ?? null;
    // No weak map: with as many entries as a slot has writes it costs more than all that it saves.
    if (this.#known.size >= CLAIMS_REMEMBERED_MAX) this.#known.clear();
    this.#known.set(account, claim);
    return claim;
  }

  /** The worth of a version once a newer one without a life has replaced it: see `lifeRanks`. */
  rank(account: Account): LifeRank {
    const claim = this.read(account);
    if (claim === null || !claim.outlives) return lifeRanks.none;
    return claim.emptied ? lifeRanks.emptied : lifeRanks.life;
  }

  /**
   * The version that describes the state: its newest, or, where that is closed, the last one that outlives it. An
   * emptied account gives way to the last life of its own program.
   */
  stand(state: AccountState | null): StandingClaim | null {
    if (state === null) return null;
    const { current, lastLife } = state;
    const now = this.read(current);
    if (lastLife !== null && (now === null || (now.emptied && isOfSameProgram(current, lastLife)))) {
      const last = this.read(lastLife);
      if (last !== null) return { current, claiming: lastLife, closed: true, claim: last };
    }
    return now === null ? null : { current, claiming: current, closed: false, claim: now };
  }
}

const isOfSameProgram = (a: Account, b: Account): boolean => sameBytes(a.programOwner, b.programOwner);
