/**
 * JSON and MessagePack values that the data of all external plugins of an account show as such: a byte each on chain,
 * half a microsecond to derive. The plugins have equal shares.
 */
export const PLUGIN_VALUES_MAX = 10_000;
