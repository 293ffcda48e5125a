// Writes a slot, says so, and writes the next one when it is reported to: to be stopped in between.
import { once } from "node:events";
import { isLamplightError } from "@lamplight/errors";
import { openPostgresStore } from "../src/open-postgres-store.ts";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";

const ATTEMPTS_MAX = 5;

const store = await openPostgresStore({
  url: process.argv[2] as string,
  mode: "write",
  silenceMs: Number(process.argv[3]),
});
await store.commit(slotOf(1, [accountOf("one")]));
process.stdout.write("written\n");
await once(process.stdin, "data");
for (let attempt = 1; ; attempt += 1) {
  try {
    await store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
    process.stdout.write("written\n");
    break;
  } catch (error) {
    if (isLamplightError(error, "STORE__UNREACHABLE") && attempt < ATTEMPTS_MAX) continue;
    process.stdout.write(`${isLamplightError(error) ? error.code : String(error)}\n`);
    break;
  }
}
process.exit();
