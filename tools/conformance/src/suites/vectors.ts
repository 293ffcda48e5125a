import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { OpenLab } from "../lab.ts";
import type { Case, Suite } from "../outcome.ts";
import { isMembers, listOf, membersOf, readJson, type Members } from "../read-json.ts";
import { amountCases, floatCases } from "./vector-numbers.ts";
import { decodeCases } from "./vector-decoding.ts";

/** A folder of exact-text vectors. The members of a file, not its name, decide its kind. */
export const openVectorSuite = async (folder: string, openLab: OpenLab): Promise<Suite> => {
  const cases: Case[] = [];
  const closing: (() => Promise<void>)[] = [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).toSorted();
  for (const name of names) {
    const document = membersOf(await readJson(join(folder, name)));
    const suite = await openVectors(basename(name, ".json"), document, openLab);
    cases.push(...suite.cases);
    closing.push(suite.close);
  }
  return {
    cases,
    close: async () => {
      for (const close of closing) await close();
    },
  };
};

const openVectors = async (name: string, document: Members, openLab: OpenLab): Promise<Suite> => {
  const list = listOf(document["cases"]).filter(isMembers);
  const suites: Suite[] = [floatCases(name, listOf(document["floats"]).map(membersOf))];
  suites.push(await amountCases(name, listOf(document["amounts"]).map(membersOf), openLab));
  if (list.some((item) => "requestText" in item)) {
    const { openParamCases } = await import("./vector-params.ts");
    suites.push(await openParamCases(name, list, openLab));
  } else if (list.length > 0) suites.push(await decodeCases(name, list, openLab));
  return {
    cases: suites.flatMap(({ cases }) => cases),
    close: async () => {
      for (const suite of suites) await suite.close();
    },
  };
};
