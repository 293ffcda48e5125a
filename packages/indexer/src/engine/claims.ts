import type { Account, AccountState, AddressBytes } from "@lamplight/core";
import type { AccountClaim, AccountRule, KnownAccount } from "../rules/rules.ts";
import { AddressMap } from "./address-map.ts";
import { claimsRememberedMax } from "./limits.ts";

/** A known account with what it says. */
export interface StandingClaim extends KnownAccount {
  readonly claim: AccountClaim;
}

/** What accounts say, by the rule of their program. */
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
    if (this.#known.size >= claimsRememberedMax) this.#known.clear();
    this.#known.set(account, claim);
    return claim;
  }

  outlives(account: Account): boolean {
    return this.read(account)?.outlives ?? false;
  }

  /** What a state says: its newest version, or, when that is silent, the last one that outlives it. */
  stand(state: AccountState | null): StandingClaim | null {
    if (state === null) return null;
    const now = this.read(state.current);
    if (now !== null) return { current: state.current, speaking: state.current, closed: false, claim: now };
    const last = state.lastLife === null ? null : this.read(state.lastLife);
    if (last === null || state.lastLife === null) return null;
    return { current: state.current, speaking: state.lastLife, closed: true, claim: last };
  }
}
