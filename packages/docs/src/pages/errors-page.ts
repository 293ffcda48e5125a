import { type Contract, referenceOf, type RefusedRequestExample } from "../contract-model.ts";
import { escape, jsonHtml, prose, type Row, table } from "./html.ts";
import { errorPath } from "./error-pages.ts";
import type { Page } from "./layout.ts";
import { methodPath } from "./place.ts";

/** The id of an error on its page. */
const errorId = (name: string): string => `error-${name}`;

const STATUS_OK = 200;

/** Every error code, what it means, and on which HTTP status it travels. */
export const errorsPage = (contract: Contract): Page => ({
  path: "errors.html",
  title: "Errors · Lamplight",
  description: "Every JSON-RPC error code, its meaning and its HTTP status.",
  main: `<article>
<h1>Errors</h1>
<p class="lead">A call that was understood and refused answers on HTTP 200 with an <code>error</code> member. What is refused before it is a call (key, rate, size, loading) also carries its HTTP status, the reason in the status text, and <code>id: null</code>.</p>
<p>The four account methods use only -32600 to -32603 and -32016, because Solana client libraries fail on unknown codes. <code>data.reason</code> then names the error.</p>
${table("Error codes", ["Code", "Error", "HTTP", "Meaning", "Methods"], errorRows(contract))}
<h2 id="requests">Refused requests</h2>
<p class="quiet">What never becomes a call. Refused calls are shown with their methods.</p>
${(contract["x-refused-requests"] ?? []).map(refusedRequest).join("\n")}
</article>`,
});

const errorRows = (contract: Contract): readonly Row[] =>
  Object.entries(contract.components.errors)
    .toSorted(([, one], [, other]) => one.code - other.code)
    .map(([name, { code, message }]) => {
      const { meaning, names } = contract["x-errors"][name]!;
      const statuses = [...new Set(Object.values(names))].toSorted((one, other) => one - other);
      const refusals = Object.entries(names).map(
        ([refusal, status]) =>
          `<code data-refusal="${escape(refusal)}">${escape(refusal)}</code>${status === STATUS_OK ? "" : ` ${status}`}`,
      );
      return {
        id: errorId(name),
        cells: [
          `<code>${code}</code>`,
          `<a href="${errorPath(name)}"><strong>${escape(name)}</strong></a><br>${escape(message)}`,
          statuses.join(", "),
          `${prose(meaning)} <details class="plain"><summary>names</summary>${refusals.join("<br>")}</details>`,
          methodsOf(contract, name),
        ],
      };
    });

const methodsOf = (contract: Contract, error: string): string => {
  const methods = contract.methods.filter(({ errors }) => errors.some((one) => referenceOf(one) === error));
  if (methods.length === contract.methods.length) return "all";
  return methods.map(({ name }) => `<a href="${methodPath(name)}">${escape(name)}</a>`).join("<br>");
};

const refusedRequest = ({ name, key, server, body, status, error }: RefusedRequestExample): string => `
<details>
<summary>${escape(name)}</summary>
<p class="label">${key === undefined ? "Body" : `Body, sent with the key <code>${escape(key)}</code>`}</p>
<pre tabindex="0"><code>${escape(body)}</code></pre>
<p class="label">Answer${server === undefined ? "" : ` of ${escape(server)}`}, HTTP ${status}</p>
<pre tabindex="0"><code>${jsonHtml({ jsonrpc: "2.0", error, id: null })}</code></pre>
</details>`;
