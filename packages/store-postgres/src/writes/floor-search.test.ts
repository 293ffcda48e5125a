import { accountOf, addressOf } from "@lamplight/store-conformance/small-chain";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FloorSearch, type Place } from "./floor-search.ts";

const ROWS_MAX = 4;
const PAGE = 5;
const ACCOUNTS = 40;
const floor: Place = { lamports: 8n, address: addressOf("floor") };

const compare = (a: Place, b: Place): number =>
  a.lamports === b.lamports ? Buffer.compare(a.address, b.address) : a.lamports < b.lamports ? -1 : 1;

test("knows every account between its cut and the floor, regardless of what is written in the meantime", () => {
  const write = fc.record({
    which: fc.nat({ max: ACCOUNTS - 1 }),
    lamports: fc.bigInt({ min: 0n, max: 9n }),
  });
  const commits = fc.array(fc.array(write, { maxLength: 8 }), {
    minLength: ACCOUNTS / PAGE + 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.array(write, { maxLength: ACCOUNTS }), commits, (first, later) => {
      const table = new Map<number, Place>();
      const put = ({ which, lamports }: { which: number; lamports: bigint }): Place => {
        const { address } = accountOf(which);
        if (lamports > 0n) table.set(which, { lamports, address });
        else table.delete(which);
        return { lamports, address };
      };
      for (const one of first) put(one);
      const search = new FloorSearch(floor, ROWS_MAX);
      for (const writes of later) {
        for (const one of writes) search.note(put(one));
        if (search.isDone) continue;
        const page = [...table.values()]
          .filter(({ address }) => Buffer.compare(address, search.through) > 0)
          .toSorted((a, b) => Buffer.compare(a.address, b.address))
          .slice(0, PAGE);
        search.take(page, page.length < PAGE ? null : page.at(-1)!.address);
      }
      const { cut, found } = search;
      const wanted = [...table.values()].filter(
        (one) => compare(one, floor) < 0 && (cut === null || compare(one, cut) > 0),
      );
      if (search.isDone) expect(found).toEqual(wanted.toSorted((a, b) => compare(b, a)));
      expect(found.length).toBeLessThanOrEqual(2 * ROWS_MAX);
    }),
    { numRuns: 500 },
  );
});
