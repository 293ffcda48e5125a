export type { Command } from "./command.ts";
export { commandLoaders } from "./registry.ts";
