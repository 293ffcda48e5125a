import { writeSync } from "node:fs";
import { diskError } from "@lamplight/errors";

/**
 * Writes all of it, behind what the file holds.
 *
 * @param place - named when the disk is full
 * @throws LamplightError `STORE__FULL`
 */
export const writeBytes = (file: number, bytes: Uint8Array, place: string): void => {
  writeAt(file, bytes, null, place);
};

/** The same over what the file holds at `position`. */
export const writeAt = (file: number, bytes: Uint8Array, position: number | null, place: string): void => {
  try {
    for (let done = 0; done < bytes.length;)
      done += writeSync(file, bytes, done, bytes.length - done, position === null ? null : position + done);
  } catch (error) {
    throw diskError(error, place);
  }
};
