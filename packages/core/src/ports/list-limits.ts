/** Bytes of data that the accounts of one list hold together. Usual token accounts of the longest page hold a twentieth. */
export const LISTED_BYTES_MAX = 32 << 20;
/** Bytes of stored data with which an account comes together with others. Those with more are read apart. */
export const LISTED_TOGETHER_BYTES_MAX = 4096;
