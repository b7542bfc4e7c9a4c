/** The refusals that an operation can end with, from its signature and its fields. */
import * as ErrorCode from "@pay/schema/ErrorCode"
import type { Operation } from "@pay/schema/Operation"

type Applies = (operation: Operation) => boolean

const every: Applies = () => true
const control: Applies = ({ signing }) => signing._tag === "Control"
const oauth: Applies = ({ signing }) => signing._tag === "OAuth"
const creates: Applies = ({ acts }) => acts === "creates"
const onOrder: Applies = ({ acts }) => acts === "onOrder"
const acts: Applies = (operation) => operation.acts === "onOrder" || operation.acts === "onSubscription"
const has =
  (...names: ReadonlyArray<string>): Applies =>
  ({ infos }) =>
    names.some((name) => infos.has(name))
const both =
  (...conditions: ReadonlyArray<Applies>): Applies =>
  (operation) =>
    conditions.every((condition) => condition(operation))
const either =
  (...conditions: ReadonlyArray<Applies>): Applies =>
  (operation) =>
    conditions.some((condition) => condition(operation))

const amount = has("amount")
const card = has("credit_card_number", "destination-card-no", "sending-card-number")
const isPart = both(onOrder, amount)

/** A new code has to be given its operations here. */
const table: Readonly<Record<ErrorCode.Name, Applies>> = {
  parameterRequired: every,
  parameterInvalid: every,
  parameterTooLong: every,
  parameterConflict: every,
  parameterCombination: ({ rules }) => rules.length > 0,
  acceptRequired: every,
  contentTypeRequired: every,
  malformedForm: every,
  tooManyParameters: every,
  bodyTooLarge: every,
  idempotencyKeyInvalid: acts,
  encodingUnsupported: every,
  authenticationFailed: control,
  oauthMalformed: oauth,
  oauthMethodUnsupported: oauth,
  oauthSignatureInvalid: oauth,
  timestampSkewed: oauth,
  nonceUsed: oauth,
  authorizationRequired: oauth,
  operationNotEnabled: every,
  contentDiffers: creates,
  idempotencyKeyConflict: acts,
  repeatedWithoutKey: isPart,
  orderNotFound: either(onOrder, both(has("orderid"), has("by-request-sn"))),
  orderState: onOrder,
  cardNotFound: has("cardrefid", "source-card-ref-id", "sending-card-ref-id", "destination-card-ref-id"),
  subscriptionNotFound: has(
    "recurring-payment-id",
    "card-recurring-payment-id",
    "destination-card-recurring-payment-id"
  ),
  amountExceeds: isPart,
  currencyMismatch: isPart,
  amountNotAllowed: ({ name }) => name === "VOID",
  amountNotExact: amount,
  currencyNotEnabled: both(creates, has("currency")),
  cardExpired: has("expire_month"),
  cardInvalid: card,
  notFound: every,
  methodNotAllowed: every,
  requestTimeout: every,
  rateLimited: every,
  serverError: every,
  unavailable: every,
  transferCodingUnsupported: every
}

const isName = (name: string): name is ErrorCode.Name => Object.hasOwn(table, name)

/** The refusals of one operation. `own`: its own; the others end any request that is sent in a wrong way. */
export const of = (
  operation: Operation
): { readonly own: ReadonlyArray<ErrorCode.ErrorCode>; readonly common: ReadonlyArray<ErrorCode.ErrorCode> } => {
  const applying = Object.entries(ErrorCode.codes).filter(([name]) => isName(name) && table[name](operation))
  const isCommon = ([name]: readonly [string, unknown]) => isName(name) && table[name] === every
  return {
    own: applying.filter((entry) => !isCommon(entry)).map(([, error]) => error),
    common: applying.filter(isCommon).map(([, error]) => error)
  }
}
