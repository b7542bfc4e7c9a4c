/** Everything that must hold over several processes, on a store in memory. */
import * as StoreMemory from "@pay/gateway/StoreMemory"
import * as AtOnce from "./AtOnce.ts"
import * as Reload from "./Reload.ts"
import * as Runs from "./Runs.ts"

AtOnce.suite("memory", StoreMemory.layer)
Reload.suite("memory", StoreMemory.layer)
Runs.suite("memory", StoreMemory.layer)
