export { createDemoFolder } from "./commands/demo-folder.ts";
export { chooseDemoAddress } from "./commands/demo-flags.ts";
