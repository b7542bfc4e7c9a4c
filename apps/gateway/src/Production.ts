/** The gateway for real money as a process: docs/production.md. Nothing that is simulated is in its bundle. */
import * as ProductionProcess from "@pay/server/ProductionProcess"
import * as Running from "./Running.ts"

Running.main((start) => ProductionProcess.run(Running.ready, start))
