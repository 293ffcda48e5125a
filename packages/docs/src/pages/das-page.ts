import { escape, prose } from "./html.ts";
import { contentsHtml, type Page } from "./layout.ts";
import { methodPath, type Place } from "./place.ts";
import { methodSamples, tryItPanel } from "./try-it.ts";

/** The first page of the DAS methods: how they are switched on, and what each does. */
export const dasPage = ({ contract, folder, path }: Place): Page => ({
  path: `${folder}index.html`,
  title: "DAS methods · Lamplight",
  description: contract.info.description,
  main: `<div class="columns">
<article>
<h1>DAS methods</h1>
<p class="lead">${prose(contract.info.description)}</p>
${contentsHtml([
  { id: "try", text: "Try it" },
  { id: "start", text: "Start" },
  { id: "methods", text: "Methods" },
  { id: "more", text: "More" },
])}
<h2 id="start">Start</h2>
<p>The operator of a server switches them on. Calls then go to <code>POST /das/&lt;API_KEY&gt;</code>, and the main contract under <code>/v3</code> stays as it is.</p>
<pre tabindex="0"><code>LAMPLIGHT_KEYS=demo lamplight serve --store sqlite:chain.db --methods das</code></pre>
<pre tabindex="0"><code>import { createDasClient } from "@lamplight/client/das";

const client = createDasClient({ url: "http://127.0.0.1:5267", apiKey: "demo" });
const { total, items } = await client.getAssetsByOwner({ ownerAddress: "J28E98Qhe1cZ35Te28E8NMAeBgtFd28jY1w6StBvdjZU" });
console.log(total, items[0]?.content.metadata.name);</code></pre>
<p class="quiet" data-lacks="${path}" hidden>This server does not answer them: it was started without <code>--methods das</code>.</p>
<h2 id="methods">Methods</h2>
<dl class="methods">
${contract.methods.map(({ name, summary }) => `<dt><a href="../${methodPath(name, { folder })}"><code>${escape(name)}</code></a></dt><dd>${prose(summary)}</dd>`).join("\n")}
</dl>
<h2 id="more">More</h2>
<ul>
<li><a href="types.html">Types</a> of parameters and results</li>
<li><a href="../guides/das.html">What differs</a> from other servers, by method and member</li>
<li>The OpenRPC document is answered by <code>rpc.discover</code> at the same address. <a data-playground="das" hidden rel="noopener">Open it in the OpenRPC playground</a></li>
</ul>
</article>
<aside>${tryItPanel({ path }, methodSamples(contract))}</aside>
</div>`,
});
