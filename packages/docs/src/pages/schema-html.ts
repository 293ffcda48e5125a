import { type Contract, isUint64, referenceOf, type Schema } from "../contract-model.ts";
import { escape, prose, type Row, table } from "./html.ts";

/** Short words for what a schema allows; named schemas link to where they are described. `root` leads to the site's root. */
export const typeHtml = (schema: Schema, root: string): string => {
  const reference = referenceOf(schema);
  if (reference !== null) return `<a href="${root}types.html#${reference}">${reference}</a>`;
  if (isUint64(schema)) return "u64";
  const forms = (schema["anyOf"] ?? schema["allOf"]) as readonly Schema[] | undefined;
  if (forms !== undefined) return forms.map((one) => typeHtml(one, root)).join(" | ");
  const words = schema["enum"] as readonly unknown[] | undefined;
  if (words !== undefined)
    return words.map((word) => `<code>${escape(JSON.stringify(word))}</code>`).join(" | ");
  const { type, items } = schema as { type?: string; items?: Schema };
  if (type === "array") return arrayHtml(schema, items ?? {}, root);
  return type ?? "any";
};

const arrayHtml = (schema: Schema, items: Schema, root: string): string => {
  const item = typeHtml(items, root);
  const { minItems, maxItems } = schema as { minItems?: number; maxItems?: number };
  return minItems !== undefined && minItems === maxItems
    ? `[${Array.from({ length: minItems }, () => item).join(", ")}]`
    : `array of ${item}`;
};

/** The part that the words of the description leave out: bounds. */
export const boundsText = (schema: Schema): string => {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (isUint64(schema) || (minimum === undefined && maximum === undefined)) return "";
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
};

export const extensionBadge = '<span class="badge">extension</span>';

/** Members of an object schema, or "" when it has none that are named. */
export const membersTable = (
  contract: Contract,
  name: string,
  schema: Schema,
  root: string,
  idPrefix: string,
): string => {
  const properties = Object.entries((schema["properties"] ?? {}) as { [name: string]: Schema });
  if (properties.length === 0) return "";
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const rows = properties.map(([member, one]): Row => ({
    id: `${idPrefix}.${member}`,
    cells: [
      `<code>${escape(member)}</code>`,
      typeHtml(one, root),
      required.has(member) ? "yes" : "no",
      describe(contract, one),
    ],
  }));
  return table(`Members of ${name}`, ["Member", "Type", "Required", "Description"], rows);
};

/** The description of a schema, or of the one it refers to. */
export const describe = (contract: Contract, schema: Schema): string => {
  const badge = schema["x-lamplight-extension"] === true ? ` ${extensionBadge}` : "";
  return prose(descriptionOf(contract, schema) ?? "") + badge;
};

const descriptionOf = (contract: Contract, schema: Schema): string | undefined => {
  if (typeof schema["description"] === "string") return schema["description"];
  const reference = referenceOf(schema);
  if (reference !== null) return descriptionOf(contract, contract.components.schemas[reference]!);
  const forms = (schema["anyOf"] ?? schema["allOf"] ?? []) as readonly Schema[];
  const described = forms.map((one) => descriptionOf(contract, one)).filter((one) => one !== undefined);
  const items = schema["items"] as Schema | undefined;
  return described[0] ?? (items === undefined ? undefined : descriptionOf(contract, items));
};
