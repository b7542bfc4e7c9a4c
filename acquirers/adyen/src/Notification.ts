/**
 * Webhooks of Adyen: a request has up to six events, each signed by itself. All of them are verified, or the request is refused; Adyen
 * then sends it again (https://docs.adyen.com/development-resources/webhooks).
 */
import { Result, Schema } from "effect"
import { AdyenAmount } from "./AdyenAmount.ts"
import * as HmacSignature from "./HmacSignature.ts"

const Unsigned = Schema.Record(Schema.String, Schema.Unknown)

/** The parts of `NotificationRequestItem` that the adapter reads. */
const Event = Schema.Struct({
  pspReference: Schema.String,
  originalReference: Schema.optional(Schema.NullOr(Schema.String)),
  merchantAccountCode: Schema.String,
  merchantReference: Schema.String,
  amount: AdyenAmount,
  eventCode: Schema.String,
  success: Schema.Literals(["true", "false"]),
  reason: Schema.optional(Schema.NullOr(Schema.String)),
  additionalData: Schema.optional(Unsigned)
})

const Request = Schema.Struct({
  notificationItems: Schema.NonEmptyArray(Schema.Struct({ NotificationRequestItem: Event }))
})

/** A verified event. Only what its signature covers is in it, and `unsigned`, which must decide nothing about money. */
export interface AdyenEvent extends Omit<HmacSignature.SignedFields, "success"> {
  readonly success: boolean
  readonly unsigned: {
    readonly reason: string | undefined
    /** Returns an entry of `additionalData`, if it is text. */
    readonly additional: (name: string) => string | undefined
  }
}

/** Why a request is not accepted. */
export type Refusal = "it is no webhook of Adyen" | "an event has no right signature"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Request))

const verified = (item: typeof Event.Type, keys: ReadonlyArray<string>): AdyenEvent | undefined => {
  const { additionalData = {}, originalReference, reason, success, ...rest } = item
  const signature = additionalData.hmacSignature
  const signed = { ...rest, originalReference: originalReference ?? undefined }
  if (typeof signature !== "string" || !HmacSignature.isRight({ ...signed, success }, signature, keys)) return undefined
  const additional = (name: string) => {
    const value = additionalData[name]
    return typeof value === "string" ? value : undefined
  }
  return { ...signed, success: success === "true", unsigned: { reason: reason ?? undefined, additional } }
}

/** Returns the events of a request in their order. `keys`: the HMAC keys of which one must have signed each event. */
export const read = (body: string, keys: ReadonlyArray<string>): Result.Result<ReadonlyArray<AdyenEvent>, Refusal> => {
  const request = decode(body)
  if (Result.isFailure(request)) return Result.fail("it is no webhook of Adyen")
  const events = request.success.notificationItems.flatMap(
    ({ NotificationRequestItem: item }) => verified(item, keys) ?? []
  )
  return events.length === request.success.notificationItems.length
    ? Result.succeed(events)
    : Result.fail("an event has no right signature")
}
