import { type StoreHead, reads } from "@lamplight/core";
import { expect, test } from "vitest";
import { openPostgresStore } from "../open-postgres-store.ts";
import { openPostgresReader } from "../reader/open-postgres-reader.ts";
import { accountOf, assetOf } from "@lamplight/store-conformance/small-chain";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { openPostgresImport } from "./import-store.ts";

const head: StoreHead = {
  watermark: { slot: 1, blockhash: null },
  changeSeq: 1,
  nextOrdinal: 1,
  coverage: { kind: "whole" },
  holdings: true,
  holders: false,
  notes: {},
};
const accounts = Array.from({ length: 2000 }, (_, index) => ({
  current: accountOf(index, { data: new Uint8Array(1000).fill(index) }),
  lastLife: null,
}));

const fill = async (url: string): Promise<void> => {
  const target = await openPostgresImport({ url, holdings: true });
  await target.write("accounts", accounts);
  await target.write("assets", [{ ...assetOf(0), ordinal: 0, changeSeq: 1 }]);
  await target.finish(head, () => {});
  await target.close();
};

describeWithPostgres("openPostgresImport", (under) => {
  test.each(["between two pages", "within a page"])(
    "tells that the server is gone %s; what is left is taken up by a load alone, which begins anew",
    async (moment) => {
      const url = under().newStore();
      const target = await openPostgresImport({ url, holdings: true });
      await target.write("accounts", accounts.slice(0, 1000));
      const crashed = under().server.crash();
      if (moment === "between two pages") await crashed;
      const goOn = async (): Promise<void> => {
        for (;;) await target.write("accounts", accounts.slice(1000));
      };
      await expect(goOn()).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
      await crashed;
      await target.close();
      await under().server.restart();
      await expect(openPostgresStore({ url, mode: "write" })).rejects.toMatchObject({
        code: "STORE__UNFINISHED",
      });
      const reader = await openPostgresReader({ url });
      await expect(reader.openView("finalized")).rejects.toMatchObject({ code: "STORE__LOADING" });
      await fill(url);
      const view = await reader.openView("finalized");
      expect(await view.read(reads.account(accounts[7]!.current.address))).toEqual(accounts[7]!.current);
      view.close();
      reader.close();
      const store = await openPostgresStore({ url, mode: "write" });
      expect(await store.checkIntegrity()).toEqual([]);
      await store.close();
    },
  );

  test("refuses rows of one key twice instead of keeping either", async () => {
    const url = under().newStore();
    const target = await openPostgresImport({ url, holdings: true });
    await target.write("accounts", [accounts[0]!, accounts[0]!]);
    await expect(target.finish(head, () => {})).rejects.toThrow("account_pkey");
    await target.close();
    await fill(url);
  });
});
