export { chooseDemoAddress } from "./commands/demo-flags.ts";
