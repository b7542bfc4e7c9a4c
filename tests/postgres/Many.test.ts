/** Everything that must hold over several processes, each with a store of its own on one database. */
import * as Anywhere from "../many/Anywhere.ts"
import * as AtOnce from "../many/AtOnce.ts"
import * as Cvvs from "../many/Cvvs.ts"
import * as Leases from "../many/Leases.ts"
import * as Reload from "../many/Reload.ts"
import * as RestoredCopies from "../many/RestoredCopies.ts"
import * as Rotation from "../many/Rotation.ts"
import * as Runs from "../many/Runs.ts"
import * as Swarm from "../many/Swarm.ts"
import * as SharedStores from "./SharedStores.ts"

const { layer, table } = SharedStores.make()

AtOnce.suite("PostgreSQL", layer)
Cvvs.suite("PostgreSQL", layer, table)
Leases.suite("PostgreSQL", layer)
Reload.suite("PostgreSQL", layer)
RestoredCopies.suite("PostgreSQL", layer)
Rotation.suite("PostgreSQL", layer)
Runs.suite("PostgreSQL", layer)
Anywhere.suite("PostgreSQL", layer)
Swarm.suite("PostgreSQL", layer, [1])
