import {
  type Contract,
  type ContractExample,
  type ContractMethod,
  examplesOf,
  type ErrorExample,
  namedParams,
  parametersOf,
  referenceOf,
  type Schema,
  withoutNull,
} from "../contract-model.ts";
import { errorPath } from "./error-pages.ts";
import { escape, jsonHtml, prose, type Row, table } from "./html.ts";
import { callForm } from "./call-form.ts";
import { codeExamples } from "./code-examples.ts";
import { contentsHtml, type Page } from "./layout.ts";
import { methodMarkdown } from "./method-markdown.ts";
import { methodPath, type Place, rootOf } from "./place.ts";
import { resultTree } from "./result-tree.ts";
import { boundsText, describe, extensionBadge, membersTable, typeHtml } from "./schema-html.ts";
import { type Sample, tryItPanel } from "./try-it.ts";

/** Links lead from the page of a method to the other pages of its contract. */
const root = "../";

const sections = ["Code", "Parameters", "Result", "Errors", "Examples"].map((text) => ({
  id: text.toLowerCase(),
  text,
}));

/** The reference of one method. */
export const methodPage = (place: Place, method: ContractMethod): Page => {
  const { contract } = place;
  const path = methodPath(method.name, place);
  return {
    path,
    title: `${method.name} · Lamplight`,
    description: method.summary,
    main: `<div class="columns">
<article>
<h1>${escape(method.name)}</h1>
<p class="lead">${prose(method.summary)}</p>
${contentsHtml([{ id: "try", text: "Try it" }, ...sections])}
${method.description
  .split("\n\n")
  .map((paragraph) => `<p>${prose(paragraph)}</p>`)
  .join("\n")}
<h2 id="code">Code</h2>
${codeExamples(place, method.name, namedParams(examplesOf(method)[0]!))}
<p class="quiet">${serverNotes[place.path]} The answer is that of the first <a href="#examples">example</a>.</p>
<h2 id="parameters">Parameters</h2>
<p class="quiet">By position, as an array, or by name, as an object. A position that is not used is <code>null</code>; trailing ones may be left out.</p>
${parametersTable(contract, method)}
${parameterMembers(contract, method)}
<h2 id="result">Result</h2>
${resultHtml(contract, method)}
<h2 id="errors">Errors</h2>
${errorsHtml(contract, method, rootOf(path))}
<h2 id="examples">Examples</h2>
<p class="quiet">Recorded from the demo chain that a fresh checkout serves.</p>
${examplesOf(method)
  .map((example, index) => exampleHtml(method, example, index === 0))
  .join("\n")}
<h2 id="refusals">Refused calls</h2>
${(method["x-error-examples"] ?? []).map((example) => refusalHtml(method, example)).join("\n")}
</article>
<aside>${tryItPanel(place, samplesOf(method), callForm(contract, method))}</aside>
</div>`,
    markdown: methodMarkdown(contract, method),
  };
};

const serverNotes = {
  v3: "Without a server of your own: <code>npm start</code> in a clone of the repository.",
  das: "For a server that was started with <code>--methods das</code>.",
};

const parametersTable = (contract: Contract, method: ContractMethod): string => {
  const rows = parametersOf(method).map((parameter, index): Row => {
    const schema = withoutNull(parameter.schema);
    const aliases = parameter["x-aliases"] ?? [];
    const notes = [
      parameter.description,
      boundsNote(parameter.description, schema),
      aliases.length === 0 ? "" : `Also accepted as ${aliases.map((alias) => `\`${alias}\``).join(" or ")}.`,
    ];
    return {
      id: `param-${parameter.name}`,
      cells: [
        `<code>${escape(parameter.name)}</code>`,
        parameter.byNameOnly ? "by name" : String(index + 1),
        typeHtml(schema, root),
        parameter.required ? "yes" : "no",
        prose(notes.filter((note) => note !== "").join(" ")) +
          (parameter.byNameOnly ? ` ${extensionBadge}` : ""),
      ],
    };
  });
  return table(`Parameters of ${method.name}`, ["Name", "Position", "Type", "Required", "Description"], rows);
};

/** Only where the description does not already give the numbers. */
const boundsNote = (description: string, schema: Schema): string => {
  const bounds = boundsText(schema);
  return bounds === "" || /\d/.test(description)
    ? ""
    : `${bounds.charAt(0).toUpperCase()}${bounds.slice(1)}.`;
};

/** Object parameters are spelled out on the spot. */
const parameterMembers = (contract: Contract, method: ContractMethod): string =>
  parametersOf(method)
    .map(({ name, schema }) => {
      const reference = referenceOf(withoutNull(schema));
      if (reference === null) return "";
      const named = contract.components.schemas[reference]!;
      const forms = ((named["anyOf"] as readonly Schema[] | undefined) ?? [named])
        .map((one) => referenceOf(one) ?? reference)
        .map((one) =>
          membersTable(contract, `${name}: ${one}`, contract.components.schemas[one]!, root, name),
        );
      return forms.join("");
    })
    .join("\n");

const resultHtml = (contract: Contract, { result }: ContractMethod): string => {
  const reference = referenceOf(result.schema);
  const schema = reference === null ? result.schema : contract.components.schemas[reference]!;
  const members = resultTree(contract, result.schema, root);
  return `<p>${typeHtml(result.schema, root)}: ${describe(contract, schema)}</p>${members === "" ? formsHtml(schema) : members}`;
};

const formsHtml = (schema: Schema): string =>
  Array.isArray(schema["anyOf"]) ? `<p>One of: ${typeHtml(schema, root)}</p>` : "";

const errorsHtml = (contract: Contract, { name, errors }: ContractMethod, siteRoot: string): string => {
  const rows = errors
    .map((error) => referenceOf(error)!)
    .map((error): Row => {
      const { code, message } = contract.components.errors[error]!;
      return {
        cells: [
          `<a href="${siteRoot}${errorPath(error)}"><code>${code}</code></a>`,
          escape(message),
          prose(contract["x-errors"][error]!.meaning),
        ],
      };
    });
  return table(`Errors of ${name}`, ["Code", "Message", "Meaning"], rows);
};

const requestOf = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });

/** The parameters by position where every parameter has one. */
export const exampleParams = (method: ContractMethod, example: ContractExample): unknown =>
  method.examples.includes(example)
    ? example.params.map(({ value }) => value)
    : Object.fromEntries(example.params.map(({ name, value }) => [name, value]));

const exampleHtml = (method: ContractMethod, example: ContractExample, isOpen: boolean): string =>
  exchangeHtml(
    example.name,
    requestOf(method.name, exampleParams(method, example)),
    { jsonrpc: "2.0", result: example.result.value, id: 1 },
    isOpen,
  );

const refusalHtml = (method: ContractMethod, { name, params, error }: ErrorExample): string =>
  exchangeHtml(name, requestOf(method.name, params), { jsonrpc: "2.0", error, id: 1 }, false);

const exchangeHtml = (name: string, request: unknown, answer: unknown, isOpen: boolean): string => `
<details${isOpen ? " open" : ""}>
<summary>${escape(name)}</summary>
<p class="label">Request</p>
<pre tabindex="0"><code>${jsonHtml(request)}</code></pre>
<p class="label">Answer</p>
<pre tabindex="0"><code>${jsonHtml(answer)}</code></pre>
</details>`;

const samplesOf = (method: ContractMethod): readonly Sample[] => [
  ...examplesOf(method).map((example) => ({
    name: example.name,
    request: requestOf(method.name, namedParams(example)),
  })),
  ...(method["x-error-examples"] ?? []).map(({ name, params }) => ({
    name: `refused: ${name}`,
    request: requestOf(method.name, params),
  })),
];
