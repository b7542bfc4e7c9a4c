/**
 * The port of a bank's notifications. The gateway has a route for each adapter, and passes on the raw request. The adapter verifies its
 * sender and content, and returns the facts in it, or refuses it. Each fact is committed before the bank gets its acknowledgement. A fact
 * that comes early, late, twice or out of order changes nothing that is not so.
 */

import { Context, type Effect, Option, Schema } from "effect"
import * as AdapterCall from "../../kernel/AdapterCall.ts"
import * as ForeignText from "../../kernel/ForeignText.ts"
import * as PortShape from "../../kernel/PortShape.ts"
import { AmountMinor, wholeFrom } from "../record/Booking.ts"
import { stages } from "../record/Dispute.ts"
import { BankAnswer } from "./BankAnswer.ts"

/** A request to the route of an adapter, as it arrived. */
export interface NotificationRequest {
  readonly method: string
  /** The path below the adapter's route, from `/`. */
  readonly path: string
  /** The query without `?`. */
  readonly query: string
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The request is not the bank's, was changed on its way, or cannot be read. The sender gets status 401. */
export class NotificationRefused extends Schema.TaggedError<NotificationRefused>()("NotificationRefused", {
  message: Schema.String,
  /** What the adapter gave instead of facts that the gateway can read, as text for operators. */
  answer: Schema.optionalKey(Schema.String)
}) {}

const about = {
  /** The gateway's reference of the request that the fact is about: `orderid-kind-n`. */
  reference: ForeignText.Name(255),
  /** The bank's own identifier of the notification. The same one a second time is the same fact. */
  eventId: ForeignText.Name(255),
  /** The merchant account that the notification names, if it names one: a payment of another terminal is not changed. */
  mid: Schema.optional(ForeignText.Name(80))
}

/** The final outcome of a request. */
const Outcome = Schema.TaggedStruct("Outcome", {
  ...about,
  answer: BankAnswer,
  /** The currency of the amount in `answer`, if the notification names one. */
  currency: Schema.optional(ForeignText.Name(3))
})

/** A sale, capture or refund that the bank had approved, and that failed afterwards: its money did not move. */
const Failed = Schema.TaggedStruct("Failed", {
  ...about,
  message: ForeignText.Line,
  /** The amount that failed and its currency, if the notification names them. */
  amountMinor: Schema.optional(AmountMinor),
  currency: Schema.optional(ForeignText.Name(3))
})

/** A dispute of a payment by its cardholder. */
const Dispute = Schema.TaggedStruct("Dispute", {
  ...about,
  /** The bank's own identifier of the dispute, the same in all its stages. */
  disputeId: ForeignText.Name(255),
  stage: Schema.Literals(stages),
  amountMinor: AmountMinor,
  currency: ForeignText.Name(3),
  /** The network's code of the reason, such as `10.4`. */
  reasonCode: Schema.optional(ForeignText.Text(32)),
  message: ForeignText.Line,
  /** Until when the merchant can respond, Unix time in milliseconds. */
  respondByMs: Schema.optional(wholeFrom(0))
})
export type DisputeFact = typeof Dispute.Type

const Fact = Schema.Union([Outcome, Failed, Dispute]).annotate({ message: "Expected Outcome, Failed or Dispute" })
export type Fact = typeof Fact.Type

/** The verified content of a request. */
const Notified = Schema.Struct({
  /** Empty: the request is the bank's, and says nothing that concerns the gateway. */
  facts: Schema.Array(Fact),
  /** The body of the acknowledgement, as text. By default it is empty. */
  acknowledgement: Schema.optional(ForeignText.Text(4096))
})
export type Notified = typeof Notified.Type

/** What the operator of a gateway implements for the notifications of his bank. */
export interface Adapter {
  /** Verifies a request and returns its facts. It has 10 seconds, and must not depend on another request. */
  readonly receive: (request: NotificationRequest) => Effect.Effect<Notified, NotificationRefused>
}

const reported = Schema.decodeUnknownOption(Schema.TaggedStruct("NotificationRefused", { message: ForeignText.Line }))

const call = AdapterCall.make({
  port: "notifications",
  reported: (error) => Option.getOrUndefined(Option.map(reported(error), (failed) => new NotificationRefused(failed))),
  lost: (message, answer) => new NotificationRefused({ message, answer })
})

/** The notifications of the acquirers by name. The only acquirer of a gateway has the name `acquirer`. */
export class Notifications extends Context.Service<Notifications, ReadonlyMap<string, AdapterCall.Checked<Adapter>>>()(
  "@pay/gateway/Notifications"
) {
  /** Returns the adapter with every answer decoded. */
  static readonly checked = (adapter: Adapter): AdapterCall.Checked<Adapter> => {
    const receive = call("receive", Notified)
    return { ...AdapterCall.mark, receive: (request) => receive({}, () => adapter.receive(request)) }
  }
}

export const shape: PortShape.PortShape<Adapter> = {
  methods: { receive: PortShape.method },
  capabilities: {}
}
