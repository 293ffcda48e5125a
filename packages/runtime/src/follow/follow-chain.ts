import type { IndexStore } from "@lamplight/core";
import type { FollowOptions, Upstream } from "./follow-options.ts";
import { Following } from "./following.ts";

/**
 * Follows a chain into a store until it is stopped. Loads the code of the source here, with its gRPC or WebSocket
 * library.
 *
 * @param store - open for writing; closed when following ends or cannot start
 * @throws LamplightError `CLI__USAGE`, `SOURCE__REFUSED` and of the STORE family
 */
export const followChain = async (
  store: IndexStore,
  upstream: Upstream,
  options: FollowOptions,
): Promise<Following> => {
  if (upstream.kind === "rpc") {
    const { fitRpc } = await import("./connect-rpc.ts");
    return Following.start(store, options, (followed) => fitRpc({ ...options, ...upstream }, followed));
  }
  const { fitYellowstone } = await import("./connect-yellowstone.ts");
  return Following.start(store, options, (followed) => fitYellowstone({ ...options, ...upstream }, followed));
};
