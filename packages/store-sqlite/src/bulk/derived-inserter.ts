import type { LedgerState } from "@lamplight/core";
import { assetRowColumns, emptyChangeSet } from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";
import { type HeadDraft } from "../writes/write-head.ts";
import { prepareWriteLists } from "../writes/write-lists.ts";
import { EDITION_KEY_BYTES, EDITION_ROW_BYTES } from "./edition-row.ts";
import type { EncodedAssets, EncodedLinks } from "./encode-derived.ts";
import { SortedSpill } from "./sorted-spill.ts";
import { TableInserter } from "./table-inserter.ts";

/** Inserts what was derived from the accounts of a load into tables that were empty before it. */
export class DerivedInserter {
  readonly #connection: Connection;
  readonly #editions: SortedSpill;
  readonly #tables;
  readonly #writeLists;

  constructor(connection: Connection, folder: string) {
    this.#connection = connection;
    this.#editions = new SortedSpill(folder, "editions", EDITION_ROW_BYTES, EDITION_KEY_BYTES);
    this.#writeLists = prepareWriteLists(connection);
    const table = (name: string, columns: Readonly<Record<string, "text" | "other">>): TableInserter =>
      new TableInserter(connection, name, columns);
    this.#tables = {
      links: table("link", { target: "other", role: "other", source: "other" }),
      seen: table("asset_seen", { id: "other", slot: "other" }),
      assets: table("asset", {
        ord: "other",
        change_seq: "other",
        id: "other",
        ...Object.fromEntries(
          assetRowColumns.map(({ name, type }) => [name, type === "text" ? "text" : "other"] as const),
        ),
      }),
      documents: table("asset_document", { ord: "other", document: "text", extras: "text" }),
      creators: table("asset_creator", {
        ord: "other",
        position: "other",
        creator: "other",
        verified: "other",
        share: "other",
      }),
      groups: table("asset_group", {
        ord: "other",
        position: "other",
        key: "text",
        value: "text",
        verified: "other",
      }),
    };
  }

  insertLedger(ledger: readonly LedgerState[], head: HeadDraft): void {
    this.#writeLists({ ...emptyChangeSet, ledger }, head);
  }

  insertLinks({ links, seen }: EncodedLinks): void {
    this.#tables.links.insert(links, 0);
    this.#tables.seen.insert(seen, 0);
  }

  insertAssets(rows: EncodedAssets, head: HeadDraft): void {
    const first = head.nextOrdinal;
    if (first !== head.changeSeq) throw brokenInvariant("assets were written before this load");
    this.#tables.assets.insert(rows.assets, first);
    this.#tables.documents.insert(rows.documents, first);
    this.#tables.creators.insert(rows.creators, first);
    this.#tables.groups.insert(rows.groups, first);
    this.#editions.add(rows.editions);
    head.nextOrdinal += rows.count;
    head.changeSeq += rows.count;
  }

  /** Inserts what had to be sorted. */
  finish(): void {
    const insert = this.#connection.prepare(
      "INSERT OR REPLACE INTO edition (parent, number, address, mint) VALUES (?, ?, ?, ?)",
    );
    for (const [bytes, at] of this.#editions.rows()) {
      insert.run(
        bytes.subarray(at, at + 32),
        bytes.readBigUInt64BE(at + 32) - 2n ** 63n,
        bytes.subarray(at + 40, at + EDITION_KEY_BYTES),
        bytes.subarray(at + EDITION_KEY_BYTES, at + EDITION_ROW_BYTES),
      );
    }
    this.#editions.close();
  }

  close(): void {
    this.#editions.close();
  }
}
