/** The port of the bank's notifications on Adyen's webhooks. A request is acknowledged with `[accepted]` once its facts are committed. */
import type * as Notifications from "@pay/gateway/Notifications"
import { Redacted as OwnRedacted, Result } from "effect"
import { amountMinorOf } from "./AdyenAmount.ts"
import type { OwnEffect } from "./AdyenCall.ts"
import type { AdyenSettings } from "./AdyenSettings.ts"
import * as Notification from "./Notification.ts"
import * as PaymentAnswer from "./PaymentAnswer.ts"

export interface Toolkit extends Pick<OwnEffect, "Effect"> {
  readonly Notifications: Pick<typeof Notifications, "NotificationRefused">
}

type Event = Notification.AdyenEvent
type Fact = Notifications.Fact

const about = ({ eventCode, merchantAccountCode, merchantReference, pspReference, success }: Event) => ({
  reference: merchantReference,
  eventId: `${eventCode} ${pspReference} ${success}`,
  mid: merchantAccountCode
})

const reasonOf = ({ eventCode, unsigned }: Event): string => unsigned.reason?.trim() || eventCode

const outcome = (event: Event, amountMinor: number): Fact => ({
  _tag: "Outcome",
  ...about(event),
  answer: event.success
    ? {
        _tag: "Approved",
        processorTxId: event.pspReference,
        amountMinor,
        approvalCode: event.unsigned.additional("authCode") ?? "",
        ...PaymentAnswer.detailsOf(event.unsigned.additional)
      }
    : PaymentAnswer.declinedFor(reasonOf(event), event.unsigned.additional),
  currency: event.amount.currency
})

/** A cancel releases a hold: its event has the amount of the payment, not one that was booked. */
const release = (event: Event): Fact => ({
  _tag: "Outcome",
  ...about(event),
  answer: event.success
    ? { _tag: "Approved", processorTxId: event.pspReference, approvalCode: "" }
    : PaymentAnswer.declinedFor(reasonOf(event), event.unsigned.additional),
  currency: event.amount.currency
})

const failure = (event: Event, amountMinor: number): Fact => ({
  _tag: "Failed",
  ...about(event),
  message: reasonOf(event),
  amountMinor,
  currency: event.amount.currency
})

const dispute =
  (stage: Extract<Fact, { readonly _tag: "Dispute" }>["stage"]) =>
  (event: Event, amountMinor: number): Fact => {
    const reasonCode = event.unsigned.additional("chargebackReasonCode")?.trim()
    const respondByMs = Date.parse(event.unsigned.additional("defensePeriodEndsAt") ?? "")
    return {
      _tag: "Dispute",
      ...about(event),
      ...{ disputeId: event.pspReference, stage, amountMinor, currency: event.amount.currency },
      ...(reasonCode === undefined ? {} : { reasonCode }),
      message: reasonOf(event),
      ...(Number.isNaN(respondByMs) ? {} : { respondByMs })
    }
  }

/** What follows from a successful event of each kind, and from an unsuccessful one of `both`. Other kinds say nothing of money. */
const both: Readonly<Record<string, (event: Event, amountMinor: number) => Fact>> = {
  AUTHORISATION: outcome,
  CAPTURE: outcome,
  REFUND: outcome,
  CANCELLATION: release
}
const successful: typeof both = {
  ...both,
  CAPTURE_FAILED: failure,
  REFUND_FAILED: failure,
  REFUNDED_REVERSED: failure,
  NOTIFICATION_OF_FRAUD: dispute("inquiry"),
  REQUEST_FOR_INFORMATION: dispute("inquiry"),
  NOTIFICATION_OF_CHARGEBACK: dispute("inquiry"),
  INFORMATION_SUPPLIED: dispute("inquiry"),
  DISPUTE_DEFENSE_PERIOD_ENDED: dispute("inquiry"),
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: dispute("inquiry"),
  ISSUER_COMMENTS: dispute("inquiry"),
  PREARBITRATION_OPEN: dispute("inquiry"),
  PREARBITRATION_WON: dispute("inquiry"),
  PREARBITRATION_LOST: dispute("inquiry"),
  PREARBITRATION_ISSUER_WITHDRAWN: dispute("inquiry"),
  SCHEME_ARBITRATION_WON: dispute("inquiry"),
  SCHEME_ARBITRATION_LOST: dispute("inquiry"),
  CHARGEBACK: dispute("opened"),
  CHARGEBACK_REVERSED: dispute("won"),
  SECOND_CHARGEBACK: dispute("lost")
}

/** Returns the facts of events in their order. */
const factsOf = (events: ReadonlyArray<Event>): Result.Result<ReadonlyArray<Fact>, string> => {
  const facts: Array<Fact> = []
  for (const event of events) {
    const fact = (event.success ? successful : both)[event.eventCode]
    if (fact === undefined) continue
    const amountMinor = amountMinorOf(event.amount)
    if (amountMinor === undefined) return Result.fail(`an amount in ${event.amount.currency} is no whole minor unit`)
    facts.push(fact(event, amountMinor))
  }
  return Result.succeed(facts)
}

const decoder = new TextDecoder("utf-8", { fatal: true })
const textOf = (body: Uint8Array): Result.Result<string, string> =>
  Result.mapError(
    Result.try(() => decoder.decode(body)),
    () => "the body is no UTF-8"
  )

export const make = ({ hmacKeys }: AdyenSettings, { Effect, Notifications: port }: Toolkit): Notifications.Adapter => {
  const keys = hmacKeys.map(OwnRedacted.value)
  return {
    receive: ({ body }) =>
      Effect.fromResult(
        textOf(body).pipe(
          Result.flatMap((text) => Notification.read(text, keys)),
          Result.flatMap(factsOf),
          Result.map((facts) => ({ facts, acknowledgement: "[accepted]" })),
          Result.mapError((message) => new port.NotificationRefused({ message }))
        )
      )
  }
}
