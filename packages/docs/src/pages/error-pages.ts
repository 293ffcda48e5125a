import { type Contract, referenceOf } from "../contract-model.ts";
import { escape, prose } from "./html.ts";
import type { Page } from "./layout.ts";
import { methodPath } from "./place.ts";

export const errorPath = (name: string): string => `errors/${name}.html`;

/** One page for each error, to which clients link: what happened, why, and what to do. */
export const errorPage = (contract: Contract, name: string): Page => {
  const { code, message } = contract.components.errors[name]!;
  const { meaning, fix, names } = contract["x-errors"][name]!;
  const methods = contract.methods.filter(({ errors }) => errors.some((one) => referenceOf(one) === name));
  const reasons = Object.entries(names).map(
    ([reason, status]) => `<li><code>${escape(reason)}</code>, HTTP ${status}</li>`,
  );
  return {
    path: errorPath(name),
    title: `${message} (${code}) · Lamplight`,
    description: meaning,
    main: `<article>
<p class="quiet"><a href="../errors.html">Errors</a> · ${escape(name)}</p>
<h1><code>${code}</code> ${escape(message)}</h1>
<h2 id="cause">Cause</h2>
<p>${prose(meaning)}</p>
<h2 id="fix">What to do</h2>
<p>${prose(fix)}</p>
<h2 id="names">Names and HTTP status</h2>
<p class="quiet">The name is in the logs of the server, and in <code>data.reason</code> where the account methods use another code.</p>
<ul>${reasons.join("")}</ul>
${methods.length === 0 ? "" : `<h2 id="methods">Methods</h2><ul>${methods.map((one) => `<li><a href="../${methodPath(one.name)}">${escape(one.name)}</a></li>`).join("")}</ul>`}
</article>`,
    markdown: `# ${code} ${message}\n\n${meaning}\n\n## What to do\n\n${fix}\n`,
  };
};
