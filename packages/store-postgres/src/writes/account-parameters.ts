import { type AccountWrite, codedBit, executableBit, rentExemptBit, rentExemptEpoch } from "@lamplight/core";
import { FieldWriter } from "../engine/field-writer.ts";
import { BULK_BYTES_MAX, BULK_ROWS_MAX } from "../engine/settings.ts";
import { accountColumns, indexBits, type ProgramId } from "./account-values.ts";

/** Bytes of a row in addition to its data, at most. */
const ROW_BYTES_MAX = 300;

/** Living accounts as one array per column of `accountColumns`, for each statement that they take. */
export const accountParameters = (
  writes: readonly AccountWrite[],
  programOf: ProgramId,
): readonly (readonly Buffer[])[] => {
  const parts: Buffer[][] = [];
  for (let from = 0; from < writes.length;) {
    let to = from;
    let bytes = 0;
    while (to < writes.length && to - from < BULK_ROWS_MAX) {
      bytes += ROW_BYTES_MAX + (writes[to] as AccountWrite).state.current.data.length;
      if (to > from && bytes > BULK_BYTES_MAX) break;
      to += 1;
    }
    parts.push(parametersOf(writes.slice(from, to), programOf));
    from = to;
  }
  return parts;
};

const parametersOf = (writes: readonly AccountWrite[], programOf: ProgramId): Buffer[] => {
  const dataBytes = writes.reduce((sum, { state }) => sum + state.current.data.length, 0);
  const columns = new Map(
    accountColumns.map(([name, type]) => {
      const column = new FieldWriter(64 + 36 * writes.length + (name === "data" ? dataBytes : 0));
      column.beginArray(type, writes.length);
      return [name, column];
    }),
  );
  const of = (name: string): FieldWriter => columns.get(name) as FieldWriter;
  const [address, slot, version] = [of("address"), of("slot"), of("write_version")];
  const [rentEpoch, program, flags] = [of("rent_epoch"), of("program"), of("flags")];
  const [lamports, data] = [of("lamports"), of("data")];
  const [delegate, mint] = [of("delegate"), of("delegate_mint")];
  for (const { state, facts } of writes) {
    const { current } = state;
    const isRentExempt = current.rentEpoch === rentExemptEpoch;
    address.bytes(current.address);
    slot.int8(current.slot);
    version.int8(current.writeVersion);
    if (isRentExempt) rentEpoch.null();
    else rentEpoch.u64(current.rentEpoch);
    program.int4(programOf(current.programOwner));
    lamports.u64(current.lamports);
    const isCoded = data.zeroRuns(current.data);
    flags.int2(
      (current.executable ? executableBit : 0) |
        (isRentExempt ? rentExemptBit : 0) |
        (isCoded ? codedBit : 0) |
        indexBits({ state, facts }),
    );
    delegate.bytesOrNull(facts.delegate);
    mint.bytesOrNull(facts.delegateMint);
  }
  return Array.from(columns.values(), (column) => column.parameter());
};
