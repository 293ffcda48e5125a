// Bounds of the plugins of one Core account: anyone can make accounts of 10 MiB.

/**
 * Items of lists in a plugin that Core itself defines, and in all external adapters together; also records of each of the
 * two lists of the registry, and lifecycle checks in all of them. An instruction of the program carries 10 KiB: 1,280 attributes at most.
 */
export const PLUGIN_ITEMS_MAX = 2_048;
/** Bytes of a plugin that Core itself defines, of all external adapters together, and of all their data. */
export const PLUGIN_BYTES_MAX: number = 256 << 10;
