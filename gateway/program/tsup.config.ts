import { bundle } from "../../tsup.base.ts"

/** Each program is one file: what is simulated is in the sandbox and its bank world, and not in production. */
export default bundle({ sandbox: "src/main.ts", production: "src/Production.ts", world: "src/World.ts" })
