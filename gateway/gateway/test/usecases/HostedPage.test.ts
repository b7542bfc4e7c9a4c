/** An entry that was made on an outdated page, while another attempt on the order has ended. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as HostedPage from "../../src/hosted/HostedPage.ts"
import { HostedSession } from "../../src/hosted/HostedSession.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { browserOf } from "../../src/orders/CustomerBrowser.ts"
import { Order } from "../../src/orders/Order.ts"
import { isOfBank, OrderRequest } from "../../src/orders/OrderRequest.ts"
import { request, sale, session } from "../domain/Sample.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const page = session({ attempts: 1, maxAttempts: 3 })
const rows = [
  Decision.put(Order, sale({ requestId: "5" })),
  Decision.put(OrderRequest, request({ requestId: "5", operation: "SALEFORM", action: "sale" })),
  Decision.append(HostedSession, page)
]

const unused = () => Effect.die("no attempt is made")
const instrument = {
  ...{ isOf: isOfBank, takesEntry: () => true, endsInTime: () => true, isWatched: true },
  ...{ former: unused, paidBefore: () => assert.fail(), giveUp: () => undefined }
}
const browser = browserOf({ ipaddress: "203.0.113.7" })

/** Submits an entry on a page that showed so many attempts. Returns the entries that were handled. */
const entriesAfter = (shownAttempts: number) => {
  const recording = ScriptedServices.newRecording()
  const entries: Array<string> = []
  return Effect.gen(function* () {
    yield* ScriptedServices.seed(rows, recording)
    const actions = yield* HostedPage.make(instrument, (_, entry: string) => Effect.sync(() => entries.push(entry)))
    yield* actions.submit(page.token, shownAttempts, "card", browser)
    return entries
  }).pipe(Effect.provide(ScriptedServices.layer({}, recording)))
}

describe("an entry on a hosted page", () => {
  const cases: ReadonlyArray<readonly [what: string, shownAttempts: number, entries: Array<string>]> = [
    ["is handled if the page shows the number of attempts", 1, ["card"]],
    ["is ignored if another attempt has ended since the page was shown", 0, []]
  ]
  it.effect.each(cases)("%s", ([, shownAttempts, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* entriesAfter(shownAttempts), expected)
    })
  )
})
