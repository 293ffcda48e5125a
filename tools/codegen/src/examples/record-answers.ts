import type { Contract, ContractExample, ContractMethod, MethodExamples } from "@lamplight/docs/build";
import type { RecordedExamples } from "../read-contract.ts";
import { type DemoServer, dasPath, otherServers, post, requestText, startDemoServer } from "./demo-server.ts";
import { SAMPLE_KEY } from "@lamplight/cli/sample-chain";
import { parseKeepingText } from "@lamplight/docs/build";
import { brokenInvariant } from "@lamplight/errors";
import { dasExampleCalls, dasRefusedCalls, type NamedCall } from "./das-calls.ts";
import { type ExampleCall, exampleCalls } from "./example-calls.ts";
import { refusedCalls, type RefusedRequest, refusedRequests } from "./refused-calls.ts";

/** The example calls of a contract, and the path that its calls go to. */
interface CallsOf {
  readonly path: string;
  readonly answered: readonly NamedCall[];
  readonly refused: readonly NamedCall[];
}

const mainCalls: CallsOf = { path: "/v3/", answered: exampleCalls, refused: refusedCalls };
const dasCalls: CallsOf = { path: dasPath, answered: dasExampleCalls, refused: dasRefusedCalls };

/** Sends every example call of the DAS contract to the server. */
export const recordDasAnswers = async (
  { methods }: Contract,
  server: DemoServer,
): Promise<RecordedExamples["methods"]> => {
  const byMethod: { [name: string]: MethodExamples } = {};
  for (const method of methods) byMethod[method.name] = await recordMethod(method, dasCalls, server);
  return byMethod;
};

/** Sends every example call to the server. Requests that need another server are sent to one of their own. */
export const recordAnswers = async ({ methods }: Contract, server: DemoServer): Promise<RecordedExamples> => {
  const byMethod: { [name: string]: MethodExamples } = {};
  for (const method of methods) byMethod[method.name] = await recordMethod(method, mainCalls, server);
  const refused = [];
  for (const request of refusedRequests) refused.push(await recordRefusedRequest(request, server));
  return { methods: byMethod, refusedRequests: refused };
};

const recordMethod = async (
  method: ContractMethod,
  { path, answered, refused }: CallsOf,
  server: DemoServer,
): Promise<MethodExamples> => {
  const examples: ContractExample[] = [];
  const byName: ContractExample[] = [];
  for (const call of answered.filter((one) => one.method === method.name)) {
    const params = call.params as ExampleCall["params"];
    const values = positionalValues(method, params);
    if (values === null) byName.push(await recordExample(call, listValues(params), path, server));
    else examples.push(await recordExample(call, values, path, server));
  }
  const errors = [];
  for (const call of refused.filter((one) => one.method === method.name))
    errors.push(await recordRefusal(call, path, server));
  return {
    examples,
    ...(byName.length === 0 ? {} : { "x-by-name-examples": byName }),
    "x-error-examples": errors,
  };
};

const listValues = (params: ExampleCall["params"]): ContractExample["params"] =>
  Object.entries(params).map(([name, value]) => ({ name, value }));

/** One value for each position up to the last used one; null when a parameter has no position. */
const positionalValues = (
  method: ContractMethod,
  params: ExampleCall["params"],
): ContractExample["params"] | null => {
  const positions = method.params.map(({ name }) => name);
  if (!Object.keys(params).every((name) => positions.includes(name))) return null;
  const last = positions.findLastIndex((name) => Object.hasOwn(params, name));
  return positions.slice(0, last + 1).map((name) => ({ name, value: params[name] ?? null }));
};

const recordExample = async (
  { method, name, params }: NamedCall,
  values: ContractExample["params"],
  path: string,
  server: DemoServer,
): Promise<ContractExample> => {
  const { result, error } = await ask(method, params, path, server);
  if (result === undefined)
    throw brokenInvariant(`${method}, ${name}: refused with ${JSON.stringify(error)}`);
  return {
    name,
    params: values,
    result: { name: `${method}Result`, value: result },
  };
};

const recordRefusal = async ({ method, name, params }: NamedCall, path: string, server: DemoServer) => {
  const { error } = await ask(method, params, path, server);
  if (error === undefined) throw brokenInvariant(`${method}, ${name}: was not refused`);
  return { name, params, error };
};

const recordRefusedRequest = async (request: RefusedRequest, demo: DemoServer) => {
  const { name, key, server, body } = request;
  const { status, text } = await askRefused(request, demo);
  const { error } = [JSON.parse(text)].flat().at(-1) as { error?: unknown };
  if (error === undefined) throw brokenInvariant(`${name}: was not refused`);
  const asked = server === undefined ? {} : { server: otherServers[server].about };
  return { name, ...(key === undefined ? {} : { key }), ...asked, body, status, error };
};

/** Asks anyone who refuses such a request. */
export const askRefused = async (
  { key, server, body }: RefusedRequest,
  demo: DemoServer,
): Promise<{ readonly status: number; readonly text: string }> => {
  const asked = server === undefined ? demo : await startDemoServer(server);
  try {
    return await post(asked, body, key);
  } finally {
    if (asked !== demo) await asked.stop();
  }
};

const ask = async (
  method: string,
  params: unknown,
  path: string,
  server: DemoServer,
): Promise<{ result?: unknown; error?: unknown }> =>
  parseKeepingText((await post(server, requestText(method, params), SAMPLE_KEY, path)).text) as object;
