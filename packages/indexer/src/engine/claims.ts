import { sameBytes } from "@lamplight/codecs";
import type { Account, AccountState, AddressBytes } from "@lamplight/core";
import type { AccountClaim, AccountRule, KnownAccount } from "../rules/rules.ts";
import { AddressMap } from "./address-map.ts";
import { CLAIMS_BYTES_MAX, CLAIMS_REMEMBERED_MAX } from "./limits.ts";
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
  /** Data of these versions. */
  #bytes = 0;

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
    if (this.#known.size >= CLAIMS_REMEMBERED_MAX || this.#bytes >= CLAIMS_BYTES_MAX) {
      this.#known.clear();
      this.#bytes = 0;
    }
    this.#known.set(account, claim);
    this.#bytes += account.data.length;
    return claim;
  }

  /** The worth of a version once a newer one without a life has replaced it: see `lifeRanks`. */
  rank(account: Account): LifeRank {
    const claim = this.read(account);
    if (claim === null || !claim.outlives) return lifeRanks.none;
    return claim.emptied ? lifeRanks.emptied : lifeRanks.life;
  }

  /**
   * The versions that describe a state: its newest, or, where that is closed, the last one that outlives it. An emptied
   * account gives way to the last life of its own program. Both stand where the newest only describes another asset: the
   * key of a closed mint may become a token account.
   */
  stand({ current, lastLife }: AccountState): readonly StandingClaim[] {
    const now = this.read(current);
    const standing = now === null ? [] : [{ current, claiming: current, closed: false, claim: now }];
    const last = lastLife === null ? null : this.read(lastLife);
    if (lastLife === null || last === null) return standing;
    const ended = { current, claiming: lastLife, closed: true, claim: last };
    if (now === null || (now.emptied && isOfSameProgram(current, lastLife))) return [ended];
    return isAsset(now, current.address) || !isAsset(last, current.address) ? standing : [ended, ...standing];
  }

  /** The version that describes the asset at the address of an account, where one does; else what stands. Null = none. */
  standAt(state: AccountState | null): StandingClaim | null {
    return state === null ? null : (this.stand(state)[0] ?? null);
  }
}

/** Whether an account says what the asset at its own address is. */
export const isAsset = ({ assets }: AccountClaim, address: AddressBytes): boolean =>
  assets.some((id) => sameBytes(id, address));

const isOfSameProgram = (a: Account, b: Account): boolean => sameBytes(a.programOwner, b.programOwner);
