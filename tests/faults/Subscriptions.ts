/** What a merchant does with recurring payments in these worlds, and how they stand. */
import { assert } from "@effect/vitest"
import { Subscription } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import { rowsOf } from "../harness/Recurring.ts"

type Fields = Readonly<Record<string, string>>

const { CREATE_RP_V4 } = PayApi.operations

let count = 0

/** 10.42 USD a month from today, by a card that lasts; gives back its id. */
export const create = Effect.fnUntraced(function* (changes: Fields = {}) {
  count += 1
  const order = yield* ClientMerchant.send("CREATE_RP_V4", {
    ...Sample.request(CREATE_RP_V4),
    client_orderid: `club-${count}`,
    cvv2: "123",
    expire_year: "2099",
    server_callback_url: "http://shop.example/callback",
    ...changes
  })
  const store = yield* Store
  const row = yield* store.load(Subscription, [order.orderid], "order")
  assert.isDefined(row)
  return row.subscriptionId
})

export const update = (id: string, fields: Fields) =>
  ClientMerchant.call("UPDATE_RP_V4", { "recurring-payment-id": id, ...fields })

/** Charges its card out of turn; the refusal's error code, if it is refused. */
export const process = Effect.fnUntraced(function* (id: string, client_orderid: string) {
  const question = ClientMerchant.send("PROCESS_RP_V4", { client_orderid, "recurring-payment-id": id })
  return yield* question.pipe(
    Effect.as("accepted"),
    Effect.catchTag("Refused", ({ errorCode }) => Effect.succeed(`refused ${errorCode}`))
  )
})

export const otherCard: Fields = { credit_card_number: "4444555566661111", expire_month: "12", expire_year: "2099" }

export { summary as scenario } from "../harness/Recurring.ts"

/** The reasons that are kept of what was skipped, in order. */
export const reasons = Effect.fnUntraced(function* (id: string) {
  const { occurrences } = yield* rowsOf(id)
  return occurrences.flatMap(({ progress, reason }) => (progress === "skipped" ? [reason] : []))
})

/** The order of an occurrence. */
export const orderOf = Effect.fnUntraced(function* (id: string, n: number) {
  const { occurrences } = yield* rowsOf(id)
  const orderid = occurrences.find((each) => each.n === n)?.orderId
  assert(typeof orderid === "string")
  return { orderid, client_orderid: `${id}:${n}` }
})

/** How many charges the bank has approved. */
export const charges = Effect.gen(function* () {
  const { books } = yield* SandboxControl
  return (yield* books.all).filter(({ answer }) => answer._tag === "Approved").length
})

/** The merchant's callbacks besides outcomes: `status day: reason`. */
export const callbacks = Effect.map(Inbox, ({ arrived }) =>
  arrived
    .filter(({ parameters }) => parameters.type === "recurring")
    .map(({ parameters }) => `${parameters.status} ${parameters["charge-date"]}: ${parameters.error_message}`)
)
