import { LamplightError } from "@lamplight/errors";
import { parseEndpoint, type RpcEndpoint } from "../../rpc/endpoint.ts";

/**
 * The URL of an archive. Its `name` is scheme, host and path, because passwords are in userinfo and signatures in the
 * query.
 */
export type ArchiveUrl = RpcEndpoint;

const httpSchemes: readonly string[] = ["http:", "https:"];

export const isUrl = (place: string): boolean => /^[a-z][a-z\d+.-]+:\/\//i.test(place);

/** @throws LamplightError `SOURCE__SNAPSHOT_REFUSED` */
export const parseArchiveUrl = (text: string): ArchiveUrl => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !httpSchemes.includes(url.protocol)) {
    // An invalid URL may contain a password too, so it is not quoted.
    const archive = `${/^[^:]*/u.exec(text)?.[0] ?? ""}://…`;
    const reason = url === null ? "it is no URL" : "only http and https URLs are read";
    throw new LamplightError("SOURCE__SNAPSHOT_REFUSED", { archive, reason });
  }
  const endpoint = parseEndpoint(text, httpSchemes);
  return { ...endpoint, name: endpoint.name + endpoint.url.pathname };
};

/** The last part of the path, which is the file name. */
export const fileNameOf = ({ url }: ArchiveUrl): string => {
  const part = url.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
