import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract, ContractMethod, MethodExamples, RefusedRequestExample } from "@lamplight/docs/build";
import { parseKeepingText } from "@lamplight/docs/build";

/** The hand-written contract, without examples. Hooks of the generator only see it dereferenced, where the names of schemas are lost. */
export const contractPath = new URL("../../../openrpc.json", import.meta.url).pathname;

/** One file for each method, and one for requests that fail before a call. All are recorded. */
const examplesFolder = new URL("../../../packages/contract/examples", import.meta.url).pathname;

const refusedRequestsText = "refused-requests";

const exampleFile = (name: string): string => join(examplesFolder, `${name}.json`);

type ParseJson = (text: string) => unknown;

type WrittenContract = Omit<Contract, "x-refused-requests">;

const readWith = (parse: ParseJson): Contract => {
  const written = parse(readFileSync(contractPath, "utf8")) as Contract;
  const examples = (name: string): unknown => parse(readFileSync(exampleFile(name), "utf8"));
  const methods = written.methods.map((method): ContractMethod => ({
    ...method,
    // A new method has no examples until they are recorded.
    ...(existsSync(exampleFile(method.name)) ? (examples(method.name) as MethodExamples) : { examples: [] }),
  }));
  const refused = examples(refusedRequestsText) as readonly RefusedRequestExample[];
  return { ...written, methods, "x-refused-requests": refused };
};

/** The published contract: what openrpc.json says, with the recorded examples. */
export const readContract = (): Contract => readWith(JSON.parse);

/** The published contract; `JSON.stringify` writes every number back as it was. */
export const readExactContract = (): Contract => readWith(parseKeepingText);

/** openrpc.json alone, as `writeContract` writes it. */
export const readWrittenContract = (): WrittenContract =>
  parseKeepingText(readFileSync(contractPath, "utf8")) as WrittenContract;

export const writeContract = (contract: WrittenContract): void =>
  writeFileSync(contractPath, jsonText(contract));

export interface RecordedExamples {
  readonly methods: { readonly [name: string]: MethodExamples };
  readonly refusedRequests: readonly RefusedRequestExample[];
}

/** Replaces all recorded examples. */
export const writeExamples = ({ methods, refusedRequests }: RecordedExamples): void => {
  for (const file of readdirSync(examplesFolder)) rmSync(join(examplesFolder, file));
  for (const [name, examples] of Object.entries({ ...methods, [refusedRequestsText]: refusedRequests }))
    writeFileSync(exampleFile(name), jsonText(examples));
};

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
