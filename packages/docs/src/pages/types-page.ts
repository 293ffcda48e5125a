import type { Contract, Schema } from "../contract-model.ts";
import { escape } from "./html.ts";
import type { Page } from "./layout.ts";
import type { Place } from "./place.ts";
import { describe, membersTable, typeHtml } from "./schema-html.ts";

/** Every named type of the contract. */
export const typesPage = ({ contract, folder }: Place): Page => {
  const schemas = Object.entries(contract.components.schemas);
  return {
    path: `${folder}types.html`,
    title: `${folder === "" ? "Types" : "Types of the DAS methods"} · Lamplight`,
    description: "Every type of the contract: members, allowed words, forms.",
    main: `<article>
<h1>Types</h1>
<p class="lead">What calls and answers are made of. A <strong>u64</strong> is a whole number up to 18446744073709551615, written digit by digit: read it with a parser that keeps digits, or with the client, which gives amounts as bigint.</p>
<p class="index">${schemas.map(([name]) => `<a href="#${name}">${name}</a>`).join(" ")}</p>
${schemas.map(([name, schema]) => typeSection(contract, name, schema)).join("\n")}
</article>`,
  };
};

const typeSection = (contract: Contract, name: string, schema: Schema): string => {
  const members = membersTable(contract, name, schema, "", name);
  return `<section id="${escape(name)}">
<h2><a class="anchor" href="#${escape(name)}">${escape(name)}</a></h2>
<p>${describe(contract, schema)}</p>
${members === "" ? `<p class="form">${typeHtml(schema, "")}</p>` : members}
</section>`;
};
