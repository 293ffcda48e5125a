// An operator's afternoon with what is published. At each step, `/readyz` and `/metrics` must report it.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describePostgres } from "@lamplight/postgres-test";
import { beforeAll, test } from "vitest";
import { installPackedOnce } from "../test/packed-once.ts";
import { type Place, placeInPostgres, placeOfFiles } from "../test/afternoon/place.ts";
import { runAfternoon } from "../test/afternoon/story.ts";
import { givenNode, isSupported } from "./install-packed.ts";

let folder: string;
const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 33);

beforeAll(async () => {
  folder = await installPackedOnce();
});

const spend = async (name: string, node: string, placeIn: (folder: string) => Place | Promise<Place>) => {
  const own = mkdtempSync(join(folder, "afternoon-"));
  const installation = { project: join(folder, "project"), node };
  const place = await placeIn(join(own, "data"));
  await runAfternoon({ folder: own, place, installation, seed }, (line) =>
    process.stderr.write(`An afternoon over ${name}, seed ${seed}, ${line}\n`),
  );
};

test("an operator's afternoon over SQLite, on the Node that is given", async () => {
  const given = givenNode();
  await spend("SQLite", (await isSupported(given)) ? given : process.execPath, placeOfFiles);
});

describePostgres("an operator's afternoon", () => {
  test("over PostgreSQL, on the Node of the repository", () =>
    spend("PostgreSQL", process.execPath, placeInPostgres));
});
