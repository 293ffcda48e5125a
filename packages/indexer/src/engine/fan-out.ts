import type { AddressBytes } from "@lamplight/core";
import { AddressSet } from "./address-map.ts";
import type { ClaimReader } from "./claims.ts";
import { listKey } from "./layer.ts";
import { LINKS_PER_PAGE } from "./limits.ts";
import { type LinkList, RoundReader } from "./round-reader.ts";
import type { StateReader } from "./state-reader.ts";

/**
 * Assets named by the accounts that link to these targets, in pages of a few hundred. Links that come with the step
 * are not among them: their accounts are in the step themselves.
 *
 * @param before - what the step is derived over
 * @param after - the same with the changed states
 */
export const dependantPages = async function* (
  lists: readonly LinkList[],
  before: StateReader,
  after: StateReader,
  claims: ClaimReader,
): AsyncGenerator<AddressBytes[], void> {
  const once = new Map(lists.map((list) => [listKey(list.role, list.target), list]));
  const rest: { readonly list: LinkList; readonly last: AddressBytes }[] = [];
  for (const page of pagesOf([...once.values()], LINKS_PER_PAGE)) {
    const sources: AddressBytes[] = [];
    for (const list of await firstLinks(page, before)) {
      sources.push(...list.sources);
      const last = list.sources.at(-1);
      if (last !== undefined && list.sources.length === LINKS_PER_PAGE) rest.push({ list, last });
    }
    yield* assetsOf(sources, after, claims);
  }
  for (const { list, last: first } of rest) {
    let last: AddressBytes | null = first;
    while (last !== null) {
      const links = await before.readLinkPage(list.target, list.role, last, LINKS_PER_PAGE);
      yield* assetsOf(
        links.map((link) => link.source),
        after,
        claims,
      );
      last = links.length < LINKS_PER_PAGE ? null : (links.at(-1)?.source ?? null);
    }
  }
};

const firstLinks = async (
  lists: readonly LinkList[],
  reader: StateReader,
): Promise<(LinkList & { readonly sources: AddressBytes[] })[]> => {
  const roles = [...new Set(lists.map((list) => list.role))];
  const links = await reader.readLinks(
    lists.map((list) => list.target),
    roles,
    LINKS_PER_PAGE,
  );
  const found = new Map(
    lists.map((list) => [listKey(list.role, list.target), { ...list, sources: [] as AddressBytes[] }]),
  );
  for (const link of links) found.get(listKey(link.role, link.target))?.sources.push(link.source);
  return [...found.values()];
};

const assetsOf = async function* (
  sources: readonly AddressBytes[],
  after: StateReader,
  claims: ClaimReader,
): AsyncGenerator<AddressBytes[], void> {
  if (sources.length === 0) return;
  const reader = new RoundReader(after, ignoreProblem);
  await reader.loadStates(sources);
  const assets = new AddressSet();
  // A leaf has no account: the link comes from the asset itself.
  for (const source of sources) {
    const state = reader.state(source);
    const standing = state === null ? [] : claims.stand(state);
    assets.addAll(standing.length === 0 ? [source] : standing.flatMap(({ claim }) => claim.assets));
  }
  yield assets.addresses();
};

/** Reading states reports nothing. */
const ignoreProblem = (): void => {};

/** Slices of at most `size`. */
export const pagesOf = <T>(items: readonly T[], size: number): T[][] => {
  const pages: T[][] = [];
  for (let start = 0; start < items.length; start += size) pages.push(items.slice(start, start + size));
  return pages;
};
