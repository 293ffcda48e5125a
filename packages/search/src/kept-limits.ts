/** Kept terms beyond the closed ones; the least recently asked gives way. Each costs a look per changed asset. */
export const KEPT_TERMS_MAX = 512;
/** Most bytes of all kept terms: at a hundred million assets one that half of them meet takes 12 MB. */
export const KEPT_BYTES_MAX = 256 * 2 ** 20;
