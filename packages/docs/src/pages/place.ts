import type { Contract } from "../contract-model.ts";

/** A contract, with its place on the site and on a server. */
export interface Place {
  readonly contract: Contract;
  /** Folder of its pages, with a slash at its end; empty for the main contract. */
  readonly folder: string;
  /** Word of the address of its calls: `/v3/<API_KEY>`. */
  readonly path: "v3" | "das";
}

/** The contracts of the site. */
export interface Places {
  readonly main: Place;
  readonly das: Place;
}

/** Pages of the DAS methods are in another folder than `das/`, which is the address of calls. */
export const placesOf = (main: Contract, das: Contract): Places => ({
  main: { contract: main, folder: "", path: "v3" },
  das: { contract: das, folder: "das-reference/", path: "das" },
});

/** Path of the page of a method inside the site. */
export const methodPath = (method: string, { folder }: Pick<Place, "folder"> = { folder: "" }): string =>
  `${folder}methods/${method}.html`;

/** The way from a page to the site's root. */
export const rootOf = (path: string): string => "../".repeat(path.split("/").length - 1);
