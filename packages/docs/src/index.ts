export { docsDirectory } from "./docs-directory.ts";
