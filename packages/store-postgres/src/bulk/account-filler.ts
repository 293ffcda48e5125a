import { type AccountState, type NonCirculatingStake, lastLifeBit, u64ToColumn } from "@lamplight/core";
import { mapKeyOf } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import {
  lifeColumns,
  lifeValues,
  type ProgramId,
  versionColumns,
  versionValues,
} from "../writes/account-values.ts";
import { nonCirculatingStakeColumns, nonCirculatingStakeValues } from "../writes/write-facts.ts";
import type { HeadDraft } from "../writes/write-head.ts";
import { topAccountColumns } from "../writes/write-top-accounts.ts";
import {
  copiedAccountColumns,
  copiedAccountLayout,
  type CopiedAccounts,
  copiedHoldingColumns,
  copyAccounts,
} from "./copied-accounts.ts";
import type { LoadPlace } from "./load-place.ts";
import { TopAccountsDraft } from "./top-accounts-draft.ts";

/** Fills the tables of accounts, with everything that follows from their bytes. */
export class AccountFiller {
  readonly #place: LoadPlace;
  readonly #programs: ProgramDictionary;
  readonly #holdings: boolean;
  readonly #topAccounts = new TopAccountsDraft();
  #nonCirculatingStakes = 0;
  /** Living ones so far. */
  accounts = 0;

  constructor(place: LoadPlace, programs: ProgramDictionary, holdings: boolean) {
    this.#place = place;
    this.#programs = programs;
    this.#holdings = holdings;
  }

  /** Living accounts, encoded. */
  async addRows(rows: CopiedAccounts): Promise<void> {
    await this.#nameProgramsIn(rows);
    await this.#place.copyEncoded("account", copiedAccountColumns, rows.rows);
    if (this.#holdings) await this.#place.copyEncoded("holding", copiedHoldingColumns, rows.holdings);
    await this.#addNonCirculatingStakes(rows.nonCirculatingStakes);
    this.#topAccounts.add(rows, this.#nonCirculatingStakes);
    this.accounts += rows.count;
  }

  /** Living and closed ones, each maybe with a last life. */
  async addStates(states: readonly AccountState[]): Promise<void> {
    const living = states.filter(({ current }) => current.lamports > 0n);
    const closed = states.filter(({ current }) => current.lamports === 0n);
    const lives = states.flatMap(({ lastLife }) => lastLife ?? []);
    await this.addRows(
      copyAccounts(
        living.map(({ current }) => current),
        living.length,
        { holdings: this.#holdings, lives: new Set(lives.map(({ address }) => mapKeyOf(address))) },
      ),
    );
    if (closed.length === 0 && lives.length === 0) return;
    const programOf = await this.#programOf(
      [...closed.map(({ current }) => current), ...lives].map(({ programOwner }) => programOwner),
    );
    await this.#place.copy(
      "tombstone",
      versionColumns,
      closed.map(({ current, lastLife }) =>
        versionValues(current, programOf, lastLife === null ? 0 : lastLifeBit),
      ),
    );
    await this.#place.copy(
      "last_life",
      lifeColumns,
      lives.map((life) => lifeValues(life, programOf, 0)),
    );
  }

  /** Writes the table of the largest accounts, and what the head row says of the accounts. */
  async finish(head: HeadDraft): Promise<void> {
    const { accounts, floor } = this.#topAccounts.finish(this.#nonCirculatingStakes);
    await this.#place.copy(
      "top_account",
      topAccountColumns,
      accounts.map(({ lamports, address }) => [u64ToColumn(lamports), address]),
    );
    head.topAccounts = accounts.length;
    head.floorLamports = floor?.lamports ?? 0n;
    head.floorAddress = floor?.address ?? new Uint8Array(0);
    head.nonCirculatingStakes = this.#nonCirculatingStakes;
  }

  async #addNonCirculatingStakes(holds: readonly NonCirculatingStake[]): Promise<void> {
    await this.#place.copy("stake_hold", nonCirculatingStakeColumns, holds.map(nonCirculatingStakeValues));
    this.#nonCirculatingStakes += holds.length;
  }

  /** Writes the numbers of the programs into the rows. */
  async #nameProgramsIn({ rows, starts, programNumbers, programs }: CopiedAccounts): Promise<void> {
    const addresses = Array.from({ length: programs.length / 32 }, (_, number) =>
      programs.subarray(32 * number, 32 * number + 32),
    );
    const programOf = await this.#programOf(addresses);
    const ids = Int32Array.from(addresses, programOf);
    const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
    for (const [row, start] of starts.entries()) {
      view.setInt32(start + copiedAccountLayout.program, ids[programNumbers[row] as number] as number);
    }
  }

  #programOf(addresses: readonly Uint8Array[]): Promise<ProgramId> {
    return this.#place.writer.write((session) => this.#programs.idsOf(session, addresses));
  }
}
