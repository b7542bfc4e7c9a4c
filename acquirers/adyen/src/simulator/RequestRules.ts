/** What the simulated Adyen refuses before it does anything: a request without a mandatory field, or with one of another form. */
import { Result, Schema, SchemaIssue } from "effect"
import { AdyenAmount } from "../AdyenAmount.ts"

const text = (longest: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(longest))

const Amount = AdyenAmount.check(Schema.makeFilter(({ currency, value }) => /^[A-Z]{3}$/.test(currency) && value >= 0))

const Card = Schema.Struct({
  type: Schema.Literal("scheme"),
  number: Schema.String.check(Schema.isPattern(/^\d{12,19}$/)),
  expiryMonth: Schema.String.check(Schema.isPattern(/^(?:0?[1-9]|1[0-2])$/)),
  expiryYear: Schema.String.check(Schema.isPattern(/^20\d\d$/)),
  cvc: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{3,4}$/))),
  holderName: Schema.optionalKey(Schema.String),
  networkPaymentReference: Schema.optionalKey(text(50))
})

const BrowserInfo = Schema.Struct({
  acceptHeader: Schema.String,
  colorDepth: Schema.Int,
  javaEnabled: Schema.Boolean,
  language: Schema.String,
  screenHeight: Schema.Int,
  screenWidth: Schema.Int,
  timeZoneOffset: Schema.Int,
  userAgent: Schema.String
})

/** `POST /payments`. */
export const Payment = Schema.Struct({
  merchantAccount: text(80),
  reference: text(80),
  amount: Amount,
  returnUrl: text(8000),
  paymentMethod: Card,
  shopperInteraction: Schema.optionalKey(Schema.Literals(["Ecommerce", "ContAuth", "Moto", "POS"])),
  recurringProcessingModel: Schema.optionalKey(
    Schema.Literals(["CardOnFile", "Subscription", "UnscheduledCardOnFile"])
  ),
  captureDelayHours: Schema.optionalKey(Schema.Int),
  additionalData: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  authenticationData: Schema.optionalKey(
    Schema.Struct({
      attemptAuthentication: Schema.optionalKey(Schema.Literals(["always", "never"])),
      authenticationOnly: Schema.optionalKey(Schema.Boolean)
    })
  ),
  threeDS2RequestData: Schema.optionalKey(
    Schema.Struct({ notificationURL: Schema.optionalKey(text(2048)), merchantName: Schema.optionalKey(text(40)) })
  ),
  metadata: Schema.optionalKey(Schema.Record(Schema.String, text(80))),
  browserInfo: Schema.optionalKey(BrowserInfo),
  channel: Schema.optionalKey(Schema.Literals(["iOS", "Android", "Web"])),
  origin: Schema.optionalKey(text(80)),
  mpiData: Schema.optionalKey(
    Schema.Struct({
      directoryResponse: Schema.optionalKey(Schema.Literals(["A", "C", "D", "I", "N", "R", "U", "Y"])),
      authenticationResponse: Schema.optionalKey(Schema.Literals(["Y", "N", "U", "A"])),
      eci: Schema.optionalKey(Schema.String),
      cavv: Schema.optionalKey(Schema.String)
    })
  )
})
export type Payment = typeof Payment.Type

const placed = { merchantAccount: text(80), reference: Schema.optionalKey(text(80)) }

/** A capture or a refund. */
export const AmountModification = Schema.Struct({ ...placed, amount: Amount })
/** A cancel or a reversal. */
export const Modification = Schema.Struct(placed)
/** `POST /cancels`: a cancel by the reference of the payment. */
export const StandaloneCancel = Schema.Struct({ ...placed, paymentReference: text(80) })
/** `POST /payments/details`. */
export const Details = Schema.Struct({
  details: Schema.Struct({
    "threeds2.fingerprint": Schema.optionalKey(text(100_000)),
    "threeds2.challengeResult": Schema.optionalKey(text(50_000))
  }),
  paymentData: text(200_000)
})

const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

/** Decodes the body of a request. The failure names each field that is missing or wrong. */
export const decode = <A>(schema: Schema.Decoder<A>, body: unknown): Result.Result<A, string> =>
  Result.mapError(Schema.decodeUnknownResult(schema, { errors: "all" })(body), ({ issue }) => {
    const fields = formatter(issue).issues.map(({ path = [] }) => path.map(String).join(".") || "body")
    return `Required or invalid field: ${[...new Set(fields)].join(", ")}`
  })
