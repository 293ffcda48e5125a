// Bundled by a test: shows the contract of the page with the components that OpenRPC publishes.

import { Documentation } from "@open-rpc/docs-react";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

createRoot(window.root).render(createElement(Documentation, { schema: window.schema }));
