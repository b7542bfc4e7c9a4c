/** Asks a bank with a journal without end and prints each reference that was approved. Arguments: the journal, a prefix. */

import { writeSync } from "node:fs"
import { Acquirer } from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import { Effect } from "effect"
import * as Contract from "../../src/Contract.ts"
import * as SandboxAcquirer from "../../src/SandboxAcquirer.ts"
import { authorization, followUp } from "../Inquiry.ts"

const [, , journalPath = "", prefix = ""] = process.argv

await Effect.gen(function* () {
  const bank = yield* Acquirer
  for (let n = 0; ; n++) {
    const orderId = `${prefix}${String(n).padStart(9, "0")}`
    const original: AttemptReference = `${orderId}-authorize-0`
    yield* bank.authorize(authorization({ reference: original, orderId }))
    writeSync(1, `${original}\n`)
    yield* bank.followUp(
      "capture",
      followUp(`${orderId}-capture-1`, 400, { original: Contract.originalOf(original, { amountMinor: 1000 }), orderId })
    )
    writeSync(1, `${orderId}-capture-1\n`)
    yield* Effect.yieldNow
  }
}).pipe(Effect.provide(SandboxAcquirer.layer({ journalPath })), Effect.runPromise)
