// Starts the page in the app's own windows.

import { tauri } from "./lib/backend/tauri";
import { start } from "./start";

start(tauri);
