import { LamplightError } from "@lamplight/errors";
import type { Account } from "../domain/account.ts";
import { LISTED_BYTES_MAX } from "./list-limits.ts";

/** The refusal of a list whose accounts hold too much data: so much was read. */
export class ListTooLarge extends LamplightError<"QUERY__OVER_BUDGET"> {
  constructor() {
    super("QUERY__OVER_BUDGET", {
      reason: `the accounts of one list hold more than ${LISTED_BYTES_MAX} bytes of data, also where a dataSlice is asked for`,
      cheaper: "a list of fewer accounts, such as those of one mint",
    });
  }
}

/** Counts the data of the accounts of one list, each when it is read. */
export class ListedData {
  #bytes = 0;

  /** @throws ListTooLarge */
  take<One extends Account | null>(account: One): One {
    this.#bytes += account?.data.length ?? 0;
    if (this.#bytes <= LISTED_BYTES_MAX) return account;
    throw new ListTooLarge();
  }
}
