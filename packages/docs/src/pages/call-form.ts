import {
  type Contract,
  type ContractMethod,
  parametersOf,
  referenceOf,
  type Schema,
  withoutNull,
} from "../contract-model.ts";
import { escape } from "./html.ts";

/** Fields for every parameter, and every member of an option object; a script writes the call by name from them. */
export const callForm = (contract: Contract, method: ContractMethod): string => `
<details class="fields"><summary>Fill in a form</summary>
<div data-fields="${escape(method.name)}">
${parametersOf(method)
  .map(({ name, schema, required }) => fieldHtml(contract, name, withoutNull(schema), required))
  .join("\n")}
</div></details>`;

const fieldHtml = (contract: Contract, path: string, schema: Schema, required: boolean): string => {
  const form = named(contract, schema);
  const label = `${escape(path)}${required ? " *" : ""}`;
  const members = (form["properties"] ?? null) as { [name: string]: Schema } | null;
  if (members !== null)
    return Object.entries(members)
      .map(([name, member]) => fieldHtml(contract, `${path}.${name}`, withoutNull(member), false))
      .join("\n");
  const forms = form["anyOf"] as readonly Schema[] | undefined;
  if (forms !== undefined) return forms.map((one) => fieldHtml(contract, path, one, required)).join("\n");
  const words = form["type"] === "boolean" ? [true, false] : (form["enum"] as readonly unknown[] | undefined);
  const kind =
    form["type"] === "array"
      ? "pair"
      : words === undefined && form["type"] === "integer"
        ? "integer"
        : "text";
  if (words === undefined)
    return `<label>${label} <input type="text" data-path="${escape(path)}" data-kind="${kind}" spellcheck="false" autocomplete="off"${kind === "pair" ? ' placeholder="collection, &lt;address&gt;"' : ""}></label>`;
  return `<label>${label} <select data-path="${escape(path)}" data-kind="json"><option value="">not given</option>${words.map((word) => `<option value="${escape(JSON.stringify(word))}">${escape(String(word))}</option>`).join("")}</select></label>`;
};

const named = (contract: Contract, schema: Schema): Schema => {
  const reference = referenceOf(schema);
  return reference === null ? schema : contract.components.schemas[reference]!;
};
