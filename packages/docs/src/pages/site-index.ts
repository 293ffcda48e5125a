import type { Contract } from "../contract-model.ts";
import { escape } from "./html.ts";
import { canonicalUrl, markdownPath, type Page } from "./layout.ts";

const WORDS_MAX = 400;

/** What the search of the site reads: of each page its title and the different words of it. */
export const searchIndex = (pages: readonly Page[]): string =>
  JSON.stringify(
    pages.map(({ path, title, description, main }) => ({
      path,
      title: title.replace(" · Lamplight", ""),
      about: description,
      text: wordsOf(main),
    })),
  );

const wordsOf = (html: string): string => {
  const text = html.replaceAll(/<pre[\s\S]*?<\/pre>|<option[\s\S]*?<\/option>|<[^>]+>/gu, " ").toLowerCase();
  return [...new Set(text.match(/[a-z_][\w-]{2,}/gu))].slice(0, WORDS_MAX).join(" ");
};

/** The site for language models: what each page is about, and where its Markdown is. */
export const llmsText = (contract: Contract, pages: readonly Page[]): string => `# Lamplight

> ${contract.info.description}

Calls are JSON-RPC 2.0 by \`POST {base}/v3/<API_KEY>\`. The contract is [openrpc.json](openrpc.json).

${pages
  .filter(({ markdown }) => markdown !== undefined)
  .map(
    ({ path, title, description }) =>
      `- [${title.replace(" · Lamplight", "")}](${markdownPath(path)}): ${description}`,
  )
  .join("\n")}
`;

/** Every page, for search engines. */
export const sitemap = (
  domain: string,
  pages: readonly Page[],
): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ path }) => `<url><loc>${escape(canonicalUrl(domain, path))}</loc></url>`).join("\n")}
</urlset>
`;
