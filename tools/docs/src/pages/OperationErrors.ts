/** The errors with which an operation can be refused, derived from its signature and its fields. */
import * as ErrorCode from "@pay/schema/ErrorCode"
import type { Operation } from "@pay/schema/Operation"

type Applies = (operation: Operation) => boolean

const every: Applies = () => true
const control: Applies = ({ signing }) => signing._tag === "Control"
const oauth: Applies = ({ signing }) => signing._tag === "OAuth"
const creates: Applies = ({ acts }) => acts === "creates"
const onOrder: Applies = ({ acts }) => acts === "onOrder"
const notReading: Applies = ({ acts }) => acts !== "reads"
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
const storedCard = has("cardrefid", "source-card-ref-id", "sending-card-ref-id", "destination-card-ref-id")
const subscription = has("recurring-payment-id", "card-recurring-payment-id", "destination-card-recurring-payment-id")
const storesCard: Applies = ({ name }) => name === "CARDREF" || name === "CARDREF_V4"

/** Returns whether a header `Idempotency-Key` makes repetitions of the operation safe. */
export const takesKey: Applies = ({ name }) => name === "CAPTURE" || name === "VOID" || name === "RETURN"

/** The operations to which each error code applies. The type requires an entry for every code of the contract. */
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
  idempotencyKeyInvalid: takesKey,
  encodingUnsupported: every,
  dialectNotEnabled: every,
  authenticationFailed: control,
  oauthMalformed: oauth,
  oauthMethodUnsupported: oauth,
  oauthSignatureInvalid: oauth,
  timestampSkewed: oauth,
  nonceUsed: oauth,
  authorizationRequired: oauth,
  operationNotEnabled: every,
  contentDiffers: creates,
  idempotencyKeyConflict: takesKey,
  repeatedWithoutKey: ({ name }) => name === "CAPTURE" || name === "RETURN",
  orderNotFound: either(onOrder, both(has("orderid"), has("by-request-sn"))),
  orderState: both(notReading, either(onOrder, storedCard, subscription)),
  cardNotFound: either(storedCard, storesCard),
  subscriptionNotFound: subscription,
  amountExceeds: isPart,
  currencyMismatch: either(isPart, both(has("recurring-payment-id"), has("currency"))),
  amountNotAllowed: ({ name }) => name === "VOID" || name === "RETURN",
  amountNotExact: amount,
  amountTooLarge: amount,
  currencyNotEnabled: both(creates, has("currency")),
  cardExpired: both(notReading, either(has("expire_month"), storedCard, subscription, storesCard)),
  cardInvalid: card,
  cardRepeated: card,
  notFound: every,
  methodNotAllowed: every,
  requestTimeout: every,
  rateLimited: every,
  serverError: every,
  unavailable: every,
  transferCodingUnsupported: every
}

const isName = (name: string): name is ErrorCode.Name => Object.hasOwn(table, name)

/**
 * Returns the refusals of one operation. `own`: those of its fields and its purpose; the others apply to any request that is sent
 * in a wrong way.
 */
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
