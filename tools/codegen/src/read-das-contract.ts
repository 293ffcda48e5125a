import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract, ContractMethod, MethodExamples, Schema } from "@lamplight/docs/build";
import { parseKeepingText, referenceOf } from "@lamplight/docs/build";
import { contractPath, jsonText, type RecordedExamples } from "./read-contract.ts";

const dasFolder = new URL("../../../packages/das/", import.meta.url).pathname;

/** The hand-written DAS contract, with references to the main one. */
const dasContractPath = join(dasFolder, "openrpc.json");

const exampleFile = (method: string): string => join(dasFolder, "examples", `${method}.json`);

/** A reference of the DAS document to the main contract, such as `../../openrpc.json#/components/schemas/Asset`. */
const outside = "../../openrpc.json#";

type ParseJson = (text: string) => unknown;
type Parts = { readonly [name: string]: Schema };

interface Written extends Omit<Contract, "components" | "x-errors"> {
  readonly components: { readonly schemas: Parts };
}

/**
 * The DAS contract as it is published: what it refers to in the main contract is a part of it, with what that refers
 * to in turn.
 */
const readWith = (parse: ParseJson): Contract => {
  const main = parse(readFileSync(contractPath, "utf8")) as Contract;
  const written = parse(readFileSync(dasContractPath, "utf8")) as Written;
  const own = JSON.parse(JSON.stringify(written).replaceAll(outside, "#")) as Written;
  const examples = (name: string): MethodExamples => {
    const file = exampleFile(name);
    return existsSync(file) ? (parse(readFileSync(file, "utf8")) as MethodExamples) : { examples: [] };
  };
  const methods = own.methods.map((method): ContractMethod => ({ ...method, ...examples(method.name) }));
  const errors = new Set(own.methods.flatMap((method) => method.errors.map((one) => referenceOf(one)!)));
  return {
    ...own,
    methods,
    components: {
      schemas: withReferred(own, main.components.schemas),
      errors: picked(main.components.errors, errors),
    },
    "x-errors": picked(main["x-errors"], errors),
  };
};

const picked = <Part>(parts: { readonly [name: string]: Part }, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => names.has(name)));

/** The schemas of the document, and those of the main contract that it refers to, by name. */
const withReferred = (own: Written, main: Parts): Parts => {
  const schemas = new Map(Object.entries(own.components.schemas));
  const unread: unknown[] = [own];
  while (unread.length > 0) {
    const text = JSON.stringify(unread.pop());
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/gu)) {
      if (schemas.has(name!)) continue;
      schemas.set(name!, main[name!]!);
      unread.push(main[name!]);
    }
  }
  // Schemas whose members may hold anything else as well name what they usually hold in words.
  for (const [, name] of JSON.stringify([...schemas]).matchAll(/`([A-Z]\w+)`/gu))
    if (main[name!] !== undefined) schemas.set(name!, main[name!]!);
  return Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

/** The published DAS contract. */
export const readDasContract = (): Contract => readWith(JSON.parse);

/** The published DAS contract; `JSON.stringify` writes every number back as it was. */
export const readExactDasContract = (): Contract => readWith(parseKeepingText);

/** Replaces the recorded examples of every method. */
export const writeDasExamples = (methods: RecordedExamples["methods"]): void => {
  for (const [name, examples] of Object.entries(methods))
    writeFileSync(exampleFile(name), jsonText(examples));
};

/** Writes another version into the hand-written document. */
export const writeDasVersion = (version: string): void => {
  const written = JSON.parse(readFileSync(dasContractPath, "utf8")) as Written;
  writeFileSync(dasContractPath, jsonText({ ...written, info: { ...written.info, version } }));
};
