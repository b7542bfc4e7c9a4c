/** Everything that must hold over several processes, on a store in memory. */
import { ShortLivedKeyTable } from "@pay/gateway/KeyVault"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import * as Anywhere from "./Anywhere.ts"
import * as AtOnce from "./AtOnce.ts"
import * as Cvvs from "./Cvvs.ts"
import * as HotRows from "./HotRows.ts"
import * as Leases from "./Leases.ts"
import * as Reload from "./Reload.ts"
import * as RestoredCopies from "./RestoredCopies.ts"
import * as Rotation from "./Rotation.ts"
import * as Runs from "./Runs.ts"
import * as Swarm from "./Swarm.ts"
import * as ThreeDS from "./ThreeDS.ts"

AtOnce.suite("memory", StoreMemory.layer)
Cvvs.suite("memory", StoreMemory.layer, ShortLivedKeyTable.layerMemory)
HotRows.suite("memory", StoreMemory.layer)
Leases.suite("memory", StoreMemory.layer)
Reload.suite("memory", StoreMemory.layer)
RestoredCopies.suite("memory", StoreMemory.layer)
Rotation.suite("memory", StoreMemory.layer)
Runs.suite("memory", StoreMemory.layer)
Anywhere.suite("memory", StoreMemory.layer)
ThreeDS.suite("memory", StoreMemory.layer)
Swarm.suite(
  "memory",
  StoreMemory.layer,
  Array.from({ length: 20 }, (_, n) => n + 1)
)
