import type { Page } from "./layout.ts";

/** The frame of the explorer, which a script fills. */
export const explorePage: Page = {
  path: "explore/index.html",
  title: "Explorer · Lamplight",
  description: "Wallets, collections, assets and accounts of this server, with the calls that answer them.",
  script: "explore/explore.js",
  style: "explore/explore.css",
  isWide: true,
  main: `<form id="find" role="search">
<label>Address or name <input name="address" type="text" spellcheck="false" autocomplete="off" placeholder="an address, or a part of a name"></label>
<div class="buttons"><button type="submit" class="primary">Show</button> <a href="#/">Newest</a> <a href="#/search">Search builder</a> <span id="slot" class="tick quiet"></span></div>
</form>
<p id="state" class="quiet" role="status"></p>
<div id="view"><noscript><h1>Explorer</h1><p>The explorer needs JavaScript. The <a href="../index.html">reference</a> does not.</p></noscript></div>`,
};
