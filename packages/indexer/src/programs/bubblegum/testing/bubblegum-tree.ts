export { addressOf, BubblegumTree, metadataV1, metadataV2, noop } from "@lamplight/devchain";
