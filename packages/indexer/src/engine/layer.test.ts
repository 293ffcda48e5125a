import type { Account, LedgerState, Link } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AddressMap, addressKey } from "./address-map.ts";
import { DeltaDraft } from "./delta-draft.ts";
import { layer, listKey } from "./layer.ts";
import type { StateReader } from "./state-reader.ts";

const idOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const accountOf = (number: number, slot: number): Account => ({
  address: idOf(number),
  programOwner: idOf(0),
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot,
  writeVersion: 0,
});
const leafOf = (number: number, slot: number): LedgerState => ({
  kind: "leaf",
  key: idOf(number),
  tree: idOf(99),
  state: String(slot),
});

/** Plain maps: what a layer of any depth must equal. */
class Model implements StateReader {
  readonly accounts = new AddressMap<Account>();
  readonly ledger = new Map<string, LedgerState>();
  readonly seen = new AddressMap<number>();
  readonly links = new Map<string, Link>();

  readAccountStates = async (addresses: readonly Uint8Array[]) =>
    addresses.map((address) => {
      const current = this.accounts.get(address);
      return current === undefined ? null : { current, lastLife: null };
    });
  readLedger = async (kind: string, keys: readonly Uint8Array[]) =>
    keys.map((key) => this.ledger.get(kind + addressKey(key)) ?? null);
  readSeenSlots = async (ids: readonly Uint8Array[]) => ids.map((id) => this.seen.get(id) ?? null);
  readLinks: StateReader["readLinks"] = async (targets, roles, limit) => {
    const pages = targets.flatMap((target) =>
      roles.map((role) => this.readLinkPage(target, role, null, limit)),
    );
    return (await Promise.all(pages)).flat();
  };
  readLinkPage: StateReader["readLinkPage"] = async (target, role, after, limit) =>
    [...this.links.values()]
      .filter((link) => listKey(link.role, link.target) === listKey(role, target))
      .filter(({ source }) => after === null || Buffer.compare(source, after) > 0)
      .toSorted((a, b) => Buffer.compare(a.source, b.source))
      .slice(0, limit);

  apply({ account, leaf, seen, target, source, removes }: Change, slot: number): void {
    const link = linkOf(target, source);
    this.accounts.set(idOf(account), accountOf(account, slot));
    this.ledger.set(`leaf${addressKey(idOf(leaf))}`, leafOf(leaf, slot));
    this.seen.set(idOf(seen), slot);
    if (removes) this.links.delete(keyOf(link));
    else this.links.set(keyOf(link), link);
  }
}

const linkOf = (target: number, source: number): Link => ({
  role: target % 2 === 0 ? "member" : "holder",
  target: idOf(target),
  source: idOf(source),
});
const keyOf = (link: Link): string => listKey(link.role, link.target) + addressKey(link.source);

const small = fc.nat({ max: 9 });
const change = fc.record({
  account: small,
  leaf: small,
  seen: small,
  target: fc.nat({ max: 2 }),
  source: fc.nat({ max: 15 }),
  removes: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

describe("a layer", () => {
  test("reads as the store does once every delta is applied to it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 40 }),
        fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 6 }),
        async (stored, steps, limit) => {
          const below = new Model();
          const whole = new Model();
          for (const one of stored) for (const model of [below, whole]) model.apply(one, 1);
          const drafts = steps.map((step, index) => {
            const slot = index + 2;
            const draft = new DeltaDraft();
            for (const one of step) {
              const link = linkOf(one.target, one.source);
              // A step adds and removes only what makes a difference, as rules do.
              const isThere = whole.links.has(keyOf(link));
              if (one.removes && isThere) draft.removeLink(link);
              if (!one.removes && !isThere) draft.addLink(link);
              draft.setState({ current: accountOf(one.account, slot), lastLife: null }, null);
              draft.setLedger(leafOf(one.leaf, slot));
              draft.seen.set(idOf(one.seen), slot);
              whole.apply(one, slot);
            }
            return draft;
          });
          const layered = layer(below, drafts.toReversed());
          const ids = Array.from({ length: 17 }, (_, number) => idOf(number));
          expect(await layered.readAccountStates(ids)).toEqual(await whole.readAccountStates(ids));
          expect(await layered.readLedger("leaf", ids)).toEqual(await whole.readLedger("leaf", ids));
          expect(await layered.readLedger("tree", ids)).toEqual(ids.map(() => null));
          expect(await layered.readSeenSlots(ids)).toEqual(await whole.readSeenSlots(ids));
          const targets = [0, 1, 2].map(idOf);
          for (const role of ["member", "holder"] as const) {
            expect(await layered.readLinks(targets, [role], limit)).toEqual(
              await whole.readLinks(targets, [role], limit),
            );
            for (const target of targets)
              for (const after of [null, idOf(3), idOf(15)])
                expect(await layered.readLinkPage(target, role, after, limit)).toEqual(
                  await whole.readLinkPage(target, role, after, limit),
                );
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
