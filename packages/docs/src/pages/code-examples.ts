import { escape } from "./html.ts";
import type { Place } from "./place.ts";

/** How the client of a contract is made. */
const clients = {
  v3: `import { createClient } from "@lamplight/client";

const client = createClient(`,
  das: `import { createDasClient } from "@lamplight/client/das";

const client = createDasClient(`,
};

/** One call by name, as programs in several languages write it. */
export const codeExamples = (
  { path }: Pick<Place, "path">,
  method: string,
  params: Readonly<Record<string, unknown>>,
): string => {
  const endpoint = `http://127.0.0.1:5267/${path}/demo`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const pretty = JSON.stringify(params, null, 2);
  const examples: Readonly<Record<string, string>> = {
    curl: `curl -sS ${endpoint} -H 'Content-Type: application/json' -d '${body}'`,
    TypeScript: `${clients[path]}{ url: "http://127.0.0.1:5267", apiKey: "demo" });
const result = await client.${method}(${pretty.replaceAll(/"([A-Za-z_]\w*)":/gu, "$1:")});
console.log(result);`,
    Python: `import json, urllib.request

call = {"jsonrpc": "2.0", "id": 1, "method": "${method}", "params": ${pythonText(pretty)}}
request = urllib.request.Request("${endpoint}", json.dumps(call).encode(), {"Content-Type": "application/json"})
answer = json.load(urllib.request.urlopen(request))
print(json.dumps(answer["result"], indent=2))`,
    Rust: `// cargo add ureq --features json; cargo add serde_json
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let call = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "${method}", "params": ${pretty.replaceAll("\n", "\n    ")}});
    let mut answer = ureq::post("${endpoint}").send_json(call)?;
    let answer: serde_json::Value = answer.body_mut().read_json()?;
    println!("{}", answer["result"]);
    Ok(())
}`,
  };
  return tabsHtml(
    `code-${method}`,
    Object.entries(examples).map(([name, text]) => ({
      name,
      html: `<pre tabindex="0"><code>${escape(text)}</code></pre>`,
    })),
  );
};

const pythonText = (json: string): string =>
  json
    .replaceAll(/\btrue\b/gu, "True")
    .replaceAll(/\bfalse\b/gu, "False")
    .replaceAll(/\bnull\b/gu, "None");

/** Tabs that need no script: radio buttons, of which the style sheet shows the chosen one's part. */
export const tabsHtml = (
  group: string,
  tabs: readonly { readonly name: string; readonly html: string }[],
): string =>
  `<div class="tabs-of">${tabs
    .map(
      ({ name, html }, index) =>
        `<input type="radio" name="${group}" id="${group}-${index}"${index === 0 ? " checked" : ""}><label for="${group}-${index}">${escape(name)}</label><div class="tab">${html}</div>`,
    )
    .join("")}</div>`;
