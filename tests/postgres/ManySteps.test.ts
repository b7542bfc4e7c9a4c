/** Bursts about one thing, and steps of one order, over processes that each have a store of their own on one database. */
import * as HotRows from "../many/HotRows.ts"
import * as ThreeDS from "../many/ThreeDS.ts"
import * as SharedStores from "./SharedStores.ts"

const { layer } = SharedStores.make()

HotRows.suite("PostgreSQL", layer)
ThreeDS.suite("PostgreSQL", layer)
