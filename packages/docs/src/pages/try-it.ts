import { type Contract, examplesOf, namedParams } from "../contract-model.ts";
import { escape } from "./html.ts";
import type { Place } from "./place.ts";

/** One request that can be put into the panel. */
export interface Sample {
  readonly name: string;
  readonly request: unknown;
}

/** The first example of every method. */
export const methodSamples = (contract: Contract): readonly Sample[] =>
  contract.methods.map((method) => ({
    name: method.name,
    request: { jsonrpc: "2.0", id: 1, method: method.name, params: namedParams(examplesOf(method)[0]!) },
  }));

/** A panel that sends a request to a server the reader names. Works with `site.js`; says so where scripts are off. */
export const tryItPanel = (
  { path }: Pick<Place, "path">,
  samples: readonly Sample[],
  fields = "",
): string => `
<section class="panel try" aria-labelledby="try">
<h2 id="try">Try it</h2>
<noscript><p class="quiet">This panel needs JavaScript. The examples do not.</p></noscript>
<form data-try="${path}">
<div class="pair">
<label>Server <input name="base" type="url" required spellcheck="false" autocomplete="off" placeholder="http://127.0.0.1:5267"></label>
<label>Key <input name="key" type="text" required spellcheck="false" autocomplete="off" placeholder="your API key"></label>
</div>
<label>Example
<select name="sample">
${samples.map(({ name, request }) => `<option value="${escape(JSON.stringify(request, null, 2))}">${escape(name)}</option>`).join("\n")}
</select></label>
${fields}
<label>Request <textarea name="request" rows="12" spellcheck="false" autocomplete="off">${escape(JSON.stringify(samples[0]?.request ?? {}, null, 2))}</textarea></label>
<div class="buttons"><button type="submit" class="primary" aria-keyshortcuts="Control+Enter">Send <kbd>Ctrl Enter</kbd></button> <button type="button" data-curl>Copy as curl</button> <button type="button" data-share>Copy link</button> <button type="button" data-reset>Reset</button></div>
<p class="quiet note" data-note role="status"></p>
</form>
<div data-answer hidden>
<p class="status" data-status role="status"></p>
<pre tabindex="0" aria-label="Answer"><code data-body></code></pre>
</div>
</section>`;
