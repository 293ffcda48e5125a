// The versions that `engines` states. Checked before anything else is imported: an older Node fails inside a dependency,
// with a stack trace. Plain JavaScript without imports, so that any Node can run it.
const [major, minor] = process.versions.node.split(".").map(Number);

/** Whether this Node has everything that the store and the server use. */
export const isNodeSupported = (major === 22 && minor >= 16) || (major === 24 && minor >= 15) || major > 24;

/** Prints why `command` does not run on this Node, and sets the exit code. */
export const refuseNode = (command) => {
  console.error(
    `${command} needs Node 24.15 or later, or Node 22.16 or later of the 22 line; this is Node ${process.versions.node}. Install a newer one: https://nodejs.org`,
  );
  process.exitCode = 1;
};

// Node 22 warns on every start that its SQLite may change. The warning is for authors, not for people who run a command.
if (major === 22) {
  const [print] = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") print?.call(process, warning);
  });
}
