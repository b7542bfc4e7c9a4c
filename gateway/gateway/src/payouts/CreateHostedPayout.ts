/**
 * The operation `payout-form`: registers a payout whose recipient enters the destination of the money on the gateway's page,
 * reserves its amount, and returns the address of the page (docs/specification.md#version-2).
 */

import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as OpenHostedSession from "../hosted/OpenHostedSession.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import * as PayoutRegister from "./decide/PayoutRegister.ts"

export const make = Effect.gen(function* () {
  const scheduler = yield* Scheduler
  return yield* OpenHostedSession.make(PayApi.operations.PAYOUTFORM, {
    action: "pay",
    about: ({ purpose = null }) => ({ kind: "payout", country: null, purpose }),
    register: () =>
      Effect.succeed(({ endpoint, isAdopted, opening, page }) => {
        const { merchantId, nowMs, payment } = opening
        const filteredBy = isAdopted
          ? undefined
          : PayoutRegister.judge(endpoint, { ...payment, bin: "", cardHashes: [] }, nowMs)
        return PayoutRegister.openForm(
          {
            opening: { ...opening, kind: "payout", filteredBy },
            claim: (kind) => scheduler.claim(nowMs, kind, merchantId)
          },
          page
        )
      })
  })
})
