// The app's page over a fake hub, which tests reach as `hub`. Theme and language come from the address.

import { start } from "../../src/start";
import { FakeHub } from "./fake-hub";
import "./globals";
import { rememberSome } from "./past";
import { prepare } from "./prepare";
import { asks, stranger } from "./sample-asks";

const hub = new FakeHub();
prepare(hub);
Object.assign(window, { hub, asks, stranger, rememberSome: () => rememberSome(hub) });
start(hub);
