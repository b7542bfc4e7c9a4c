/** `pay clock`: the business time of a sandbox gateway. */

import { codes } from "../ExitCode.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import { commands } from "../RecurringCommands.ts"

const path = "/sandbox/clock"

export const run = OperatorRoom.running(
  "clock",
  commands.clock,
  { show: 0, advance: 1, reset: 0 },
  async ({ gateway, operands: [by = ""], tell, verb }) => {
    const now = await (verb === "show"
      ? gateway.json({ path })
      : gateway.json({ method: "POST", path: `${path}/${verb}`, ...(verb === "advance" ? { query: { by } } : {}) }))
    tell(`It is ${now.now} in the sandbox.`, now)
    return codes.ok
  }
)
