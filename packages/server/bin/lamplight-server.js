#!/usr/bin/env node
import { isNodeSupported, refuseNode } from "./check-node.js";

if (isNodeSupported) await import("../dist/main.js");
else refuseNode("lamplight-server");
