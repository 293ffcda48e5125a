import type { Contract } from "../contract-model.ts";
import { escape } from "./html.ts";
import { canonicalUrl, markdownPath, type Page } from "./layout.ts";

const WORDS_MAX = 600;

/** Words that readers type for what a page calls by another name. */
export const searchWords: Readonly<Record<string, string>> = {
  "index.html": "quickstart install npm curl helius das openrpc",
  "bounds.html": "limits limit maximum quota memory dos attack",
  "failures.html": "crash outage recovery restart disk full disconnect",
  "explore/index.html": "browser viewer wallet scanner",
  "das-reference/index.html":
    "getAssetsByOwner getAssetBatch getAssetsByGroup metaplex helius digital asset standard",
  "guides/das.html":
    "getAssetsByOwner getAssetBatch getAssetProof metaplex helius das_api migrate differences",
  "guides/wallet-nfts.html": "getAssetsByOwner portfolio gallery owner images",
  "guides/wallet-collections.html": "gallery pictures images verified marks portfolio collections group by",
  "guides/collection-pages.html": "getAssetsByGroup pagination paging members holders",
  "guides/fungible-balances.html": "getTokenAccountsByOwner getTokenAccountBalance spl usdc balance coins",
  "guides/compressed-assets.html": "cnft cnfts bubblegum merkle proof getAssetProof",
  "guides/editions.html": "print numbered limited getNftEditions",
  "guides/accounts.html": "getMultipleAccounts getBalance getProgramAccounts rpc web3 kit",
  "guides/commitment.html": "finality reorg fork rollback latency processed confirmed finalized",
  "guides/errors-and-retries.html": "rate limit throttling backoff timeout 429 503",
  "guides/local-validator.html": "solana-test-validator surfpool anchor localnet",
  "guides/migrate.html": "helius das triton quicknode umi getAssetsByOwner getAssetBatch getProgramAccounts",
  "guides/run-a-server.html": "docker deploy host production self-hosted kubernetes postgres",
  "guides/test-your-app.html":
    "test tests testing vitest jest mocha playwright unit e2e mock mocks fixture ci localnet litesvm",
  "methods/getAccountInfo.html": "getMultipleAccounts getBalance",
  "methods/getAsset.html": "getAssetBatch metadata nft pnft cnft",
  "methods/getTokenSupply.html": "getSupply circulating mint",
  "methods/searchAssets.html":
    "getAssetsByOwner getAssetsByGroup getAssetsByCreator getAssetsByAuthority getProgramAccounts filter query pnft cnft",
};

interface SearchEntry {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  /** In lower case, separated by spaces. */
  readonly text: string;
  /** As `text`: what readers type for this page. It counts more than `text`. */
  readonly also?: string;
}

/** The index that the search of the site reads: the words of each page, and of each section of a guide. */
export const searchIndex = (pages: readonly Page[]): string => {
  const entries = pages.flatMap(({ path, title, description, main }): readonly SearchEntry[] => {
    const name = title.replace(" · Lamplight", "");
    const also = searchWords[path];
    return [
      {
        path,
        title: name,
        about: description,
        text: wordsOf(main),
        ...(also !== undefined && { also: wordsOf(also) }),
      },
      ...(isGuide(path) ? sectionsOf(path, name, main) : []),
    ];
  });
  return JSON.stringify(entries);
};

const isGuide = (path: string): boolean => path.startsWith("guides/");

const sectionsOf = (path: string, page: string, main: string): readonly SearchEntry[] =>
  main.split(/(?=<h2 id=)/u).flatMap((part) => {
    const [, id, heading] = /^<h2 id="([^"]+)">(.*?)<\/h2>/u.exec(part) ?? [];
    if (id === undefined || heading === undefined) return [];
    return [{ path: `${path}#${id}`, title: textOf(heading), about: page, text: wordsOf(part) }];
  });

const textOf = (html: string): string =>
  html.replaceAll(/<pre[\s\S]*?<\/pre>|<option[\s\S]*?<\/option>|<[^>]+>/gu, " ").trim();

/** Also numbers of three digits and more: codes of errors and of HTTP. */
const wordsOf = (html: string): string =>
  [
    ...new Set(
      textOf(html)
        .toLowerCase()
        .match(/[a-z_][\w-]{2,}|\d{3,}/gu),
    ),
  ]
    .slice(0, WORDS_MAX)
    .join(" ");

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

/** Search engines read the pages, not the calls. */
export const robotsText = (domain: string | null): string =>
  `User-agent: *\nDisallow: /v3/\nDisallow: /help/\n${domain === null ? "" : `Sitemap: ${canonicalUrl(domain, "sitemap.xml")}\n`}`;

/** Every page, for search engines. */
export const sitemap = (
  domain: string,
  pages: readonly Page[],
): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ path }) => `<url><loc>${escape(canonicalUrl(domain, path))}</loc></url>`).join("\n")}
</urlset>
`;
