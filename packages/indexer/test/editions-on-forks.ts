// Prints on random forks, at every commitment, compared with a list of all edition accounts.

import { editionAddress } from "@lamplight/codecs";
import {
  type Account,
  type Edition,
  type EditionStart,
  reads,
  type ReadView,
  type Slot,
} from "@lamplight/core";
import type { Random } from "@lamplight/devchain";
import { expect } from "vitest";
import { closedAt, key, masterEdition, metadata, mint, print } from "./encode-accounts.ts";
import { pageOfPrints } from "./naive-prints.ts";
import { type ForksOptions, walkForks } from "./walk-forks.ts";

const MINTS = 8;
const NUMBERS = 6;

/** The edition account of a mint: a master edition or a print. */
type EditionAccount =
  | { readonly supply: bigint }
  /** A print, with the index of the mint of its master. */
  | { readonly of: number; readonly number: bigint };

/** Edition accounts by the index of their mint; null = closed. */
type Model = ReadonlyMap<number, EditionAccount | null>;

const mintOf = (index: number): Uint8Array => key(100 + index);
const addresses = Array.from({ length: MINTS }, (_, index) => editionAddress(mintOf(index), null));
const addressOf = (index: number): Uint8Array => addresses[index]!;

const accountOf = (index: number, slot: Slot, edition: EditionAccount): Account =>
  "supply" in edition
    ? masterEdition(mintOf(index), slot, edition.supply, null)
    : print(mintOf(index), slot, addressOf(edition.of), edition.number);

/** Any edition account may become any other: the first two are mostly masters, the others mostly prints of these. */
const randomEdition = (random: Random, index: number): EditionAccount =>
  index < 2 === random.percent(90)
    ? { supply: BigInt(random.below(100)) }
    : { of: random.percent(90) ? random.below(2) : 2, number: BigInt(random.below(NUMBERS)) };

const writeRandomly = (random: Random, slot: Slot, before: Model) => {
  const model = new Map(before);
  const written = new Map<number, Account>();
  for (let count = random.between(0, 4); count > 0; count -= 1) {
    const index = random.below(MINTS);
    const edition = randomEdition(random, index);
    const account = accountOf(index, slot, edition);
    const isClosed = random.percent(20);
    model.set(index, isClosed ? null : edition);
    written.set(index, isClosed ? closedAt(account, slot) : account);
  }
  // It derives a print again that is not written.
  const touched = metadata(slot, { mint: mintOf(random.below(MINTS)), standard: 3 });
  return { accounts: [...written.values(), touched], model };
};

const starts: readonly EditionStart[] = [
  ...[0, 1, 3].map((offset) => ({ kind: "offset", offset }) as const),
  ...[0n, 2n, 5n].flatMap((number) => [
    { kind: "after", number } as const,
    { kind: "before", number } as const,
  ]),
];

const printsOf = (model: Model, of: number): readonly Edition[] =>
  [...model]
    .flatMap(([index, edition]) =>
      edition !== null && "of" in edition && edition.of === of
        ? [{ address: addressOf(index), parent: addressOf(of), mint: mintOf(index), number: edition.number }]
        : [],
    )
    .toSorted((a, b) => Number(a.number - b.number) || Buffer.compare(a.address, b.address));

const expectPrints = async (view: ReadView, model: Model): Promise<void> => {
  for (let index = 0; index < MINTS; index += 1) {
    const own = model.get(index) ?? null;
    const of = own !== null && "of" in own ? own.of : index;
    const master = model.get(of) ?? null;
    const isMaster = master !== null && "supply" in master;
    const found = isMaster ? { address: addressOf(of), supply: master.supply, maxSupply: null } : null;
    const prints = isMaster ? printsOf(model, of) : [];
    for (const start of starts)
      for (const limit of [2, MINTS])
        expect(await view.read(reads.editionPage(addressOf(index), start, limit))).toEqual(
          pageOfPrints(found, prints, start, limit),
        );
  }
};

/** After each slot of random forks, every page is as the list has it. */
export const expectEditionsOnForks = (options: ForksOptions): Promise<void> =>
  walkForks(options, {
    nothing: new Map(),
    before: Array.from({ length: MINTS }, (_, index) => [
      mint(mintOf(index), 1),
      metadata(1, { mint: mintOf(index), standard: 3 }),
    ]).flat(),
    write: writeRandomly,
    expectView: expectPrints,
  });
