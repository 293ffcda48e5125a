import type { Contract } from "../contract-model.ts";
import { escape, jsonHtml, prose } from "./html.ts";
import { tabsHtml } from "./code-examples.ts";
import { contentsHtml, type NavLink, type Page } from "./layout.ts";
import { exampleParams } from "./method-page.ts";
import { methodPath, type Place } from "./place.ts";
import { methodSamples, tryItPanel } from "./try-it.ts";

/** The first page: what Lamplight is, one request and its real answer, and what holds for every call. */
export const indexPage = ({ contract }: Place, guides: readonly NavLink[]): Page => ({
  path: "index.html",
  title: "Lamplight · read-only Solana data",
  description: contract.info.description,
  main: `<div class="columns">
<article>
<h1>Lamplight</h1>
<p class="lead">${prose(contract.info.description)}</p>
${contentsHtml([
  { id: "try", text: "Try it" },
  { id: "start", text: "Start" },
  { id: "guides", text: "Guides" },
  { id: "methods", text: "Methods" },
  { id: "request", text: "One request" },
  { id: "calls", text: "Rules for every call" },
])}
<h2 id="start">Start</h2>
${quickstart}
<h2 id="guides">Guides</h2>
<ul class="plain">
${guides.map(({ path, text }) => `<li><a href="${path}">${escape(text)}</a></li>`).join("\n")}
</ul>
<h2 id="methods">Methods</h2>
<dl class="methods">
${contract.methods.map(({ name, summary }) => `<dt><a href="${methodPath(name)}"><code>${escape(name)}</code></a></dt><dd>${prose(summary)}</dd>`).join("\n")}
</dl>
<h2 id="request">One request</h2>
${firstExchange(contract)}
<h2 id="calls">Rules for every call</h2>
<ul>
<li>Calls are <a href="https://www.jsonrpc.org/specification">JSON-RPC 2.0</a> over HTTP: <code>POST /v3/&lt;API_KEY&gt;</code> with <code>Content-Type: application/json</code>.</li>
<li>Send parameters by position or by name. <code>null</code> means that a position is not used. An unknown name is refused with the nearest known one.</li>
<li>Ids are echoed digit for digit. A request without an id is a notification and is not answered. A batch may have up to 100 calls.</li>
<li>All rows of one answer are read at one slot. It is always in the <code>X-Slot</code> header, and in <code>context.slot</code> where a result has one.</li>
<li>Whole numbers up to 2<sup>64</sup> are written exactly. The package <code>@lamplight/client</code> returns lamports and token amounts as bigint.</li>
<li>A missing account is <code>result: null</code>. Requests with the <code>Solana-Client</code> header, which Solana's client libraries send, get what those libraries need: an object with <code>value: null</code> for a missing account, and a bare base58 string without an encoding. Unknown members in the <code>config</code> of an account method are ignored there, and refused in other requests. Clients that cannot send the header get the same at <code>/v3/&lt;API_KEY&gt;?profile=agave</code>.</li>
<li>The contract is <a href="openrpc.json">openrpc.json</a>, also returned by <code>rpc.discover</code>. <a data-playground="v3" hidden rel="noopener">Open it in the OpenRPC playground</a></li>
</ul>
</article>
<aside>${tryItPanel({ path: "v3" }, methodSamples(contract))}</aside>
</div>`,
});

const firstMethod = (contract: Contract) => contract.methods.find(({ name }) => name === "getAsset")!;

const firstExample = (contract: Contract) => firstMethod(contract).examples[0]!;

const firstExchange = (contract: Contract): string => {
  const method = firstMethod(contract);
  const example = firstExample(contract);
  const request = { jsonrpc: "2.0", id: 1, method: method.name, params: exampleParams(method, example) };
  return `<p class="label">Terminal</p>
<pre tabindex="0"><code>curl http://127.0.0.1:5267/v3/demo --json '${escape(JSON.stringify(request))}'</code></pre>
<p class="label">Answer</p>
<pre tabindex="0" class="tall"><code>${jsonHtml({ jsonrpc: "2.0", result: example.result.value, id: 1 })}</code></pre>`;
};

const pre = (text: string): string => `<pre tabindex="0"><code>${escape(text)}</code></pre>`;

const notOnNpm =
  "Nothing is on npm yet: <code>npm run pack</code> in a clone of the repository makes the tarballs.";

/** The first steps of three visitors. */
const quickstart = tabsHtml("start", [
  {
    name: "I test an app",
    html: `<p>A chain inside your test, with every kind of NFT and token: no validator, network or files. ${notOnNpm}</p>
${pre("npm install --save-dev /path/to/lamplight/tarballs/lamplight-testing-*.tgz")}
${pre(`import { createTestChain } from "@lamplight/testing";

const chain = await createTestChain();
const alice = chain.wallet("alice");
const cat = await chain.mint({ kind: "core", owner: alice, name: "Cat #1" });
const { total } = await chain.client.searchAssets({ ownerAddress: alice.address });
console.log(total); // 1
await chain.close();`)}
<p>Next: <a href="guides/test-your-app.html">test your app</a>, or follow a <a href="guides/local-validator.html">local validator</a>.</p>`,
  },
  {
    name: "I write an app",
    html: `<p>Install the client, which has no dependencies and runs in browsers. ${notOnNpm}</p>
${pre("npm install /path/to/lamplight/tarballs/lamplight-client-*.tgz")}
${pre(`import { createClient } from "@lamplight/client";

const client = createClient({ url: "http://127.0.0.1:5267", apiKey: "demo" });
const { total, items } = await client.searchAssets({ limit: 10 });
console.log(total, items[0]?.content.metadata.name);`)}
<p>Next: <a href="guides/wallet-nfts.html">show the NFTs of a wallet</a>.</p>`,
  },
  {
    name: "I run a server",
    html: `<p>Fill a store, then serve it.</p>
${pre(`npx lamplight load snapshot FULL --store sqlite:chain.db
LAMPLIGHT_KEYS=secret npx lamplight serve --store sqlite:chain.db`)}
<p>Next: <a href="guides/run-a-server.html">run your own server</a>.</p>`,
  },
]);
