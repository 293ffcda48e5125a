const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Text as the program stores it, padded with NULs to a fixed length: without any NUL, and with U+FFFD where the bytes
 * are not UTF-8 (real accounts hold such names).
 */
export const metadataText = (bytes: Uint8Array): string => {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const text = decoder.decode(bytes.subarray(0, end));
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
};
