/**
 * The simulated bank, payout rail and 3-D Secure server as one process, for several gateways of a sandbox. The gateways reach it
 * at the address in `PAY_SANDBOX_WORLD`. `PAY_PORT` is its port on 127.0.0.1, `PAY_DATA` the folder of its files.
 */
import * as SandboxWorldProcess from "@pay/server/SandboxWorldProcess"
import { Effect } from "effect"
import * as Running from "./Running.ts"

Running.main(
  () =>
    SandboxWorldProcess.run(({ folder, url }) =>
      Effect.log("The bank world is ready").pipe(Effect.annotateLogs({ url, data: folder }))
    ),
  "The bank world"
)
