import { sameBytes } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  AddressMap,
  AddressSet,
  decodeAccountParts,
  decodeAccountRow,
  type DelegateQuery,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Session } from "../engine/session.ts";
import {
  type DelegatedRead,
  delegatedRowParts as parts,
  readDelegated,
} from "../queries/read-only-delegated.ts";
import type { ViewHead } from "../queries/read-head.ts";
import type { SharedKnowledge } from "./shared-knowledge.ts";

/** The only page of a delegate's accounts. Null where there are more, or a program is not known. */
export const readOnlyDelegated = async (
  session: Session,
  knowledge: SharedKnowledge,
  only: DelegatedRead,
): Promise<{ readonly head: ViewHead; readonly delegated: OnlyDelegated } | null> => {
  const { programs, seen } = knowledge;
  const program = only.by.kind === "mint" ? undefined : programs.idOf(only.by.address);
  if (only.by.kind === "programId" && program === undefined) return null;
  const rows = await readDelegated(session, only, program);
  if (rows === undefined || knowledge.at(rows.head, seen).programs !== programs) return null;
  const { head, page, mints } = rows;
  const ids = mints.map(programOfRow);
  const ownerId = program ?? ids[0];
  const areKnown = (ownerId === undefined ? ids : [ownerId, ...ids]).every((id) => programs.knows(id));
  if (page === null || !areKnown) return null;
  const owner = ownerId === undefined ? null : programs.addressOf(ownerId);
  const accounts = owner === null ? [] : page.map((row) => accountOf(row, owner));
  return { head, delegated: new OnlyDelegated(only, owner, accounts, mints, programs) };
};

const programOfRow = (row: Row): number => row[parts.program] as number;

/** Answers reads of what one statement brought, and undefined for others. */
export class OnlyDelegated {
  readonly #only: DelegatedRead;
  /** Null where the mint is missing that was asked for. */
  readonly #owner: AddressBytes | null;
  readonly #accounts: readonly Account[];
  readonly #mints = new AddressMap<Row>();
  readonly #programs: ProgramDictionary;
  #asked: AddressSet | null = null;

  constructor(
    only: DelegatedRead,
    owner: AddressBytes | null,
    accounts: readonly Account[],
    mints: readonly Row[],
    programs: ProgramDictionary,
  ) {
    this.#only = only;
    this.#owner = owner;
    this.#accounts = accounts;
    this.#programs = programs;
    for (const row of mints) this.#mints.set(row[0] as AddressBytes, row);
  }

  list({ delegate, tokenProgram, mint, after, limit }: DelegateQuery): readonly Account[] | undefined {
    const { by, ...only } = this.#only;
    const isAsked =
      this.#owner !== null &&
      sameBytes(tokenProgram, this.#owner) &&
      sameBytes(delegate, only.delegate) &&
      (by.kind === "mint" ? mint !== null && sameBytes(mint, by.address) : mint === null) &&
      after === undefined &&
      limit === only.limit;
    return isAsked ? this.#accounts : undefined;
  }

  findAccount(address: AddressBytes): Account | null | undefined {
    const row = this.#mints.get(address);
    if (row !== undefined) {
      const own = Uint8Array.from(address);
      return decodeAccountRow(own, row, parts.program, this.#programs.addressOf);
    }
    this.#asked ??= this.#mintsAsked();
    return this.#asked.has(address) ? null : undefined;
  }

  #mintsAsked(): AddressSet {
    const { by, withMints } = this.#only;
    const asked = new AddressSet();
    if (by.kind === "mint") asked.add(by.address);
    else if (withMints) for (const { data } of this.#accounts) asked.add(data.subarray(0, MINT_BYTES));
    return asked;
  }
}

/** A token account begins with the address of its mint. */
const MINT_BYTES = 32;

const accountOf = (row: Row, owner: AddressBytes): Account =>
  decodeAccountParts(row[0] as AddressBytes, owner, row, parts.parts, row[parts.data] as Uint8Array);
