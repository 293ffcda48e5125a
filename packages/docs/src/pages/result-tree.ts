import { type Contract, referenceOf, type Schema } from "../contract-model.ts";
import { escape } from "./html.ts";
import { describe, typeHtml } from "./schema-html.ts";

const DEPTH_MAX = 3;

/** The members of a result as a tree that opens, each with its type, values and description. */
export const resultTree = (contract: Contract, schema: Schema, root: string, depth = 0): string => {
  const members = Object.entries(
    (resolved(contract, schema)["properties"] ?? {}) as { [name: string]: Schema },
  );
  if (members.length === 0 || depth > DEPTH_MAX) return "";
  const rows = members.map(([name, member]) => {
    const inner = resultTree(contract, member, root, depth + 1);
    const head = `<code>${escape(name)}</code> <span class="type">${typeHtml(member, root)}</span>`;
    const words = enumOf(contract, member);
    const about = `<span class="about">${describe(contract, member)}${words}</span>`;
    return inner === ""
      ? `<li>${head} ${about}</li>`
      : `<li><details class="plain"><summary>${withoutLinks(`${head} ${about}`)}</summary>${inner}</details></li>`;
  });
  return `<ul class="tree">${rows.join("\n")}</ul>`;
};

/** A summary opens when it is clicked, so that it can hold no links. */
const withoutLinks = (html: string): string => html.replaceAll(/<\/?a\b[^>]*>/gu, "");

const resolved = (contract: Contract, schema: Schema): Schema => {
  const reference = referenceOf(schema);
  if (reference !== null) return resolved(contract, contract.components.schemas[reference]!);
  const forms = ((schema["anyOf"] ?? schema["allOf"] ?? []) as readonly Schema[]).filter(
    (one) => one["type"] !== "null",
  );
  if (forms.length === 1) return resolved(contract, forms[0]!);
  return schema["items"] === undefined ? schema : resolved(contract, schema["items"] as Schema);
};

const enumOf = (contract: Contract, schema: Schema): string => {
  const words = resolved(contract, schema)["enum"] as readonly unknown[] | undefined;
  return words === undefined
    ? ""
    : ` One of ${words.map((word) => `<code>${escape(String(word))}</code>`).join(", ")}.`;
};
