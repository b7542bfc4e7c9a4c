import { bundle } from "../../tsup.base.ts"

/** Two programs, each one file: what is simulated is in the one and not in the other. */
export default bundle({ sandbox: "src/main.ts", production: "src/Production.ts" })
