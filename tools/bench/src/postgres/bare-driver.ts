import type { ChangeSet } from "@lamplight/core";
import { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";

/**
 * The same statements without the store: what the driver and the server take by themselves. Slots are written to a
 * table of its own, of the same shape and with the same index.
 */
export class BareDriver {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<BareDriver> {
    const client = new Client({ connectionString: url, options: "-c search_path=lamplight -c jit=off" });
    await client.connect();
    return new BareDriver(client);
  }

  /** The table that slots are written to, with the rows of the store's; and fresh statistics for both. */
  async prepare(): Promise<void> {
    await this.#client.query(`CREATE TABLE bare_account (LIKE account INCLUDING ALL) WITH (fillfactor = 85);
INSERT INTO bare_account SELECT * FROM account;
CREATE TABLE bare_head (id integer PRIMARY KEY, slot bigint);
INSERT INTO bare_head VALUES (1, 0);`);
    for (const table of ["account", "bare_account", "asset", "asset_document", "holding"])
      await this.#client.query(`VACUUM ANALYZE ${table}`);
  }

  /** Tables to load into, as empty and bare as a load has them. */
  async prepareLoad(): Promise<void> {
    await this.#client.query(
      "CREATE TABLE bare_load (LIKE account); CREATE TABLE bare_load_holding (LIKE holding)",
    );
  }

  /** The same rows of both tables, encoded beforehand. */
  async load({
    rows,
    holdings,
  }: {
    readonly rows: Uint8Array;
    readonly holdings: Uint8Array;
  }): Promise<void> {
    const columns =
      "address, program, lamports, slot, write_version, flags, rent_epoch, delegate, delegate_mint, data";
    await this.#copy(`bare_load (${columns})`, rows);
    await this.#copy("bare_load_holding (token_owner, mint, token_account, positive)", holdings);
  }

  findAccount(address: Uint8Array): Promise<unknown> {
    return this.#read("account", "SELECT * FROM account WHERE address = $1", [address]);
  }

  listByDelegate(delegate: Uint8Array, mint: Uint8Array): Promise<unknown> {
    return this.#read("delegate", "SELECT * FROM account WHERE delegate = $1 AND delegate_mint = $2", [
      delegate,
      mint,
    ]);
  }

  listDocuments(ordinals: readonly number[]): Promise<unknown> {
    return this.#read("documents", "SELECT * FROM asset_document WHERE ord = ANY ($1::bigint[])", [ordinals]);
  }

  async commitSlot(changes: ChangeSet): Promise<void> {
    const accounts = changes.accounts.map(({ state }) => state.current);
    const slot = changes.watermark?.slot;
    await this.#client.query("BEGIN");
    await this.#client.query({
      name: "slot",
      text: `INSERT INTO bare_account (address, lamports, slot, write_version, program, flags, data)
SELECT address, lamports, $4, 0, 1, 0, data FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) AS new (address, lamports, data)
ON CONFLICT (address) DO UPDATE SET lamports = excluded.lamports, slot = excluded.slot,
write_version = excluded.write_version, data = excluded.data
WHERE (bare_account.slot, bare_account.write_version) <= (excluded.slot, excluded.write_version)`,
      values: [
        accounts.map(({ address }) => Buffer.from(address)),
        accounts.map(({ lamports }) => lamports),
        accounts.map(({ data }) => Buffer.from(data)),
        slot,
      ],
    });
    await this.#client.query("UPDATE bare_head SET slot = $1 WHERE id = 1", [slot]);
    await this.#client.query("COMMIT");
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #copy(target: string, rows: Uint8Array): Promise<void> {
    const stream = this.#client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary)`));
    await new Promise<void>((resolve, reject) => {
      stream.once("error", reject).once("finish", resolve);
      stream.write(Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1"));
      stream.write(rows);
      stream.end(Buffer.from([0xff, 0xff]));
    });
  }

  #read(name: string, text: string, values: readonly unknown[]): Promise<unknown> {
    return this.#client.query({ name, text, values: [...values], rowMode: "array" });
  }
}
