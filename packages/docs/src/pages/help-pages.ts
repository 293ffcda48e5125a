import type { Page } from "./layout.ts";

/** The pages for a person who opens an address that is for programs, or does not exist. */
export const helpPages: readonly Page[] = [
  {
    path: "help/call-address.html",
    title: "This address takes calls · Lamplight",
    description: "Where calls are sent, and how.",
    isAnywhere: true,
    main: `<article>
<h1>This address takes calls</h1>
<p class="lead">Programs send JSON-RPC requests here, by POST. A browser opens pages by GET, so there is nothing to show.</p>
<p>Send a call from a terminal:</p>
<pre tabindex="0"><code>curl http://127.0.0.1:5267/v3/demo -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"searchAssets","params":{"limit":1}}'</code></pre>
<ul>
<li><a href="/explore/index.html">Explorer</a>: look at wallets, collections and assets of this server.</li>
<li><a href="/index.html">Reference</a>: try every method in the browser.</li>
</ul>
</article>`,
  },
  {
    path: "help/not-found.html",
    title: "No such page · Lamplight",
    description: "The page does not exist.",
    isAnywhere: true,
    main: `<article>
<h1>No such page</h1>
<p class="lead">This server has no page at this address. Search with <kbd>Ctrl K</kbd>, or go on from here:</p>
<ul>
<li><a href="/index.html">Overview</a> with guides and all methods</li>
<li><a href="/explore/index.html">Explorer</a> of wallets, collections and assets</li>
<li><a href="/errors.html">Errors</a> with cause and fix</li>
</ul>
<p>Calls go to <code>POST /v3/&lt;API_KEY&gt;</code>.</p>
</article>`,
  },
];
