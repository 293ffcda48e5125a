import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { IncomingMessage } from "node:http";

import { type CountedResponse, sendEmpty } from "./response.ts";
import { type FixedDocument, fixDocument, sendDocument } from "./fixed-document.ts";
import { replyHeaders } from "./headers.ts";

const FILES_MAX = 2000;

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/**
 * The files of a folder, read once. Only paths that were there at the start are answered, so no request can climb
 * out of the folder, and no request touches the disk.
 */
export class StaticSite {
  readonly #files = new Map<string, FixedDocument>();

  /** @param pictureSources - sources of `img-src` that only the explorer has */
  constructor(directory: string, pictureSources: string) {
    const names = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const name of names.slice(0, FILES_MAX)) {
      const path = `/${name.slice(directory.length).split(sep).filter(Boolean).join("/")}`;
      const file = readSiteFile(name, path, pictureSources);
      this.#files.set(path, file);
      if (path.endsWith("/index.html")) this.#files.set(path.slice(0, -"index.html".length), file);
    }
  }

  has(path: string): boolean {
    return this.#files.has(path) || this.#isFolder(path);
  }

  /** The links of a page in a folder are wrong without the slash behind its name. */
  #isFolder(path: string): boolean {
    return this.#files.has(`${path}/`);
  }

  /** Answers GET and HEAD of a path that `has`. */
  send(path: string, request: IncomingMessage, response: CountedResponse, status = 200): void {
    if (!this.#files.has(path)) {
      // Relative, so that it holds behind any proxy; the name is one of ours.
      const target = `${path.slice(path.lastIndexOf("/") + 1)}/`;
      return sendEmpty(response, 308, ["Location", target, "Content-Length", "0", ...replyHeaders]);
    }
    sendDocument(this.#files.get(path)!, request, response, status);
  }
}

/** Pages load only what this server has, and are shown in no other page. The explorer also shows pictures of assets. */
const headersOf = (path: string, pictureSources: string): readonly string[] => [
  "Content-Security-Policy",
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'${path.startsWith(explorerPath) ? ` ${pictureSources}` : ""}; ` +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy",
  "no-referrer",
];

const explorerPath = "/explore/";

const readSiteFile = (name: string, path: string, pictureSources: string): FixedDocument => {
  const contentType = contentTypes[extname(name).toLowerCase()] ?? "application/octet-stream";
  return fixDocument(readFileSync(name), contentType, headersOf(path, pictureSources));
};
