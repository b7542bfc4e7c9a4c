/** The production gateway as a process (docs/operators/production.md). Its bundle contains no simulators. */
import * as ProductionProcess from "@pay/server/ProductionProcess"
import * as Running from "./Running.ts"

Running.main((start) => ProductionProcess.run(Running.ready, start))
