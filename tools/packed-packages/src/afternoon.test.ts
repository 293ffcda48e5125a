// An operator's afternoon with what is published, on the Node that is given. At each step, `/readyz` and `/metrics` must report it.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describePostgres } from "@lamplight/postgres-test";
import { beforeAll, test } from "vitest";
import { installPackedOnce } from "../test/packed-once.ts";
import { type Place, placeInPostgres, placeOfFiles } from "../test/afternoon/place.ts";
import { runAfternoon } from "../test/afternoon/story.ts";
import { givenNode, isSupported } from "./install-packed.ts";

let folder: string;
let node: string;
const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 33);

beforeAll(async () => {
  folder = await installPackedOnce();
  const given = givenNode();
  node = (await isSupported(given)) ? given : process.execPath;
});

const spend = async (name: string, placeIn: (folder: string) => Place | Promise<Place>) => {
  const own = mkdtempSync(join(folder, "afternoon-"));
  const installation = { project: join(folder, "project"), node };
  const place = await placeIn(join(own, "data"));
  await runAfternoon({ folder: own, place, installation, seed }, (line) =>
    process.stderr.write(`An afternoon over ${name}, seed ${seed}, ${line}\n`),
  );
};

test("an operator's afternoon over SQLite", () => spend("SQLite", placeOfFiles));

describePostgres("an operator's afternoon", () => {
  test("over PostgreSQL", () => spend("PostgreSQL", placeInPostgres));
});
