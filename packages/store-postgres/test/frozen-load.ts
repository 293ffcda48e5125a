// Copies rows again and again. Prints when it starts, and when it fails. Tests stop it during a copy.
import { isLamplightError } from "@lamplight/errors";
import { addressOf } from "@lamplight/store-conformance/small-chain";
import { openPostgresImport } from "../src/copy/import-store.ts";

const ROWS = 400_000;

const load = await openPostgresImport({ url: process.argv[2] as string, holdings: true });
// The key is built last, so the same row may come as often as it likes.
const rows = Array.from({ length: ROWS }, () => ({ id: addressOf("one"), slot: 1 }));
process.stdout.write("copying\n");
try {
  for (;;) await load.write("assetsSeen", rows);
} catch (error) {
  process.stdout.write(`${isLamplightError(error) ? error.code : String(error)}\n`);
}
process.exit();
