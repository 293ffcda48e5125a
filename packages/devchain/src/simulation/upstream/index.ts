export {
  type ReplayMood,
  SimulatedYellowstone,
  type SimulatedYellowstoneOptions,
} from "./yellowstone-server.ts";
