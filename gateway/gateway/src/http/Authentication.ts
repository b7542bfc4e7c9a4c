/**
 * Verifies the sender of a request (docs/specification.md#control, docs/specification.md#oauth). An unknown login, an unknown
 * or foreign endpoint and a wrong signature get the same refusal after the same comparisons, which take constant time.
 */

import { randomBytes } from "node:crypto"
import * as Canonical from "@pay/schema/Canonical"
import * as ControlReadings from "@pay/schema/ControlReadings"
import type { Dialect } from "@pay/schema/Dialect"
import { codes } from "@pay/schema/ErrorCode"
import * as Money from "@pay/schema/Money"
import { clientOrder, type FieldProblem, type FieldTexts, type Operation } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import * as Control from "@pay/signing/Control"
import type * as Form from "@pay/signing/Form"
import { Redacted, Result } from "effect"
import { type RequestRefused, refuse, refuseFields } from "../kernel/Answer.ts"
import type * as Decision from "../kernel/Decision.ts"
import type { Merchant, Route } from "../merchants/Directory.ts"
import type { Order } from "../orders/record/Order.ts"

const recipes = new WeakMap<ReadonlyArray<string>, ReturnType<typeof Control.compile>>()

const compiled = (recipe: ReadonlyArray<string>) => {
  const recipeOf = recipes.get(recipe)
  if (recipeOf !== undefined) return recipeOf
  const made = Control.compile(recipe)
  recipes.set(recipe, made)
  return made
}

/** A random key that no merchant has, for requests that have no key to be compared with. A match with it never counts. */
const dummyKeys: ReadonlyArray<Redacted.Redacted<string>> = [Redacted.make(randomBytes(18).toString("hex"))]

/** Returns at least one key, so that a request to a merchant without keys takes as long as any other. */
export const controlKeysOf = (merchant: Merchant | undefined): ReadonlyArray<Redacted.Redacted<string>> =>
  merchant === undefined || merchant.controlKeys.length === 0 ? dummyKeys : merchant.controlKeys

/**
 * Whether the signature may cover the order's amount and currency although the request has no amount, as deployed clients sign a
 * capture.
 */
export const coversOrderAmount = (operation: Operation, fields: FieldTexts): boolean =>
  operation.name === "CAPTURE" && fields.amount === undefined

/** Returns the `control` of a request. Refuses a request without one, or with two different ones. */
const controlOf = (parameters: ReadonlyArray<Form.Parameter>): Result.Result<string, RequestRefused> => {
  const { fields, problems } = Canonical.fields(onlyControl, parameters)
  if (problems.length > 0) return Result.fail(refuseFields(problems, undefined))
  return fields.control === undefined
    ? Result.fail(refuseFields([Rule.required("control")], undefined))
    : Result.succeed(fields.control)
}
const onlyControl = { spellings: new Map([["control", "control"]]) }

export interface Claim {
  readonly operation: Operation
  readonly dialect: Dialect
  readonly pathId: string
  readonly parameters: ReadonlyArray<Form.Parameter>
  readonly fields: FieldTexts
  /** The problems with the spellings of the fields. */
  readonly problems: ReadonlyArray<FieldProblem>
}

/** Verifies a `control`. `original` is the order in the request, whose amount the signature may cover. */
export const control = (
  claim: Claim,
  route: Route | undefined,
  original: Order | undefined
): Result.Result<Authenticated, RequestRefused> => {
  const { signing } = claim.operation
  return signing._tag === "Control"
    ? Result.flatMap(controlOf(claim.parameters), (received) =>
        verify(received, compiled(signing.recipe), claim, route, original)
      )
    : Result.fail(refuse("authenticationFailed"))
}

/** A plain function, because a generator object for each call took a tenth of the time of an accepted sale. */
const verify = (
  received: string,
  sign: ReturnType<typeof compiled>,
  claim: Claim,
  route: Route | undefined,
  original: Order | undefined
): Result.Result<Authenticated, RequestRefused> => {
  const { fields, operation, parameters, pathId } = claim
  const context = { endpointId: pathId, mode: route?.endpoints[0]?.controlAmount ?? "minor" }
  const ofOrder = coversOrderAmount(operation, fields) ? withAmountOf(original, fields) : undefined
  const sent = Canonical.asSent(operation, parameters, fields)
  const proper = [fields, ...(ofOrder === undefined ? [] : [ofOrder]), ...(sent === fields ? [] : [sent])].map(
    (texts) => Canonical.controlValues(operation, texts, context)
  )
  const keys = controlKeysOf(route?.merchant).map(Redacted.value)
  const signs = (values: Readonly<Record<string, string>>) => keys.map((key) => sign(values, key))
  // Every key is compared, so that the duration does not show which one matches.
  const matches = keys.map((key) =>
    Control.verifyAny(
      received,
      proper.map((values) => sign(values, key))
    )
  )
  const genuine = matches.includes(true)
  if (genuine && route !== undefined && isOwn(fields, route)) {
    const [, withOrder] = proper
    const signsOrderAmount =
      ofOrder !== undefined && withOrder !== undefined && Control.verifyAny(received, signs(withOrder))
    return Result.succeed({
      nonce: noNonce,
      signsOrderAmount,
      key: route.merchant.controlKeyNames[matches.indexOf(true)]
    })
  }
  const readings = genuine
    ? []
    : [...withLogin(claim, route, context), ...ControlReadings.readings(operation, parameters, fields, context)]
  const proved =
    genuine ||
    Control.verifyAny(
      received,
      readings.flatMap(({ values }) => signs(values))
    )
  if (!proved && isOfPayment(received, claim, keys))
    return Result.fail(refuse("authenticationFailed", { message: ofPayment, clientOrderId: clientOrder(fields)?.id }))
  const covered = proved && route !== undefined ? coveredFields(claim, route) : Result.void
  return Result.flatMap(covered, () => Result.fail(refuse("authenticationFailed")))
}

const withAmountOf = (original: Order | undefined, fields: FieldTexts): FieldTexts => {
  const currency = original?.currency ?? "USD"
  return { ...fields, amount: Money.fromMinor(original?.amountMinor ?? 0, currency), currency }
}

const ofPayment =
  "control has the recipe of a payment (endpoint, client_orderid, amount, email), which covers neither orderid nor what is returned. Modules that sign so return the whole payment, whatever amount was typed, so nothing was done. Sign login, client_orderid, orderid, amount and currency, and send the amount to return"

/**
 * Whether the `control` of a capture, void or return has the recipe of a payment, as deployed modules sign their refunds: without
 * an amount it covers `0` instead. It proves that the sender has the key, so the refusal can explain what is wrong.
 */
const isOfPayment = (
  received: string,
  { fields, operation, parameters, pathId }: Claim,
  keys: ReadonlyArray<string>
): boolean => {
  if (operation.acts !== "onOrder") return false
  const { client_orderid = "" } = fields
  const email = parameters.find(([name]) => name === "email")?.[1].trim() ?? ""
  const hundredths = Result.getOrElse(Money.toHundredths(fields.amount ?? "0"), () => "0")
  const sign = compiled(Control.recipes.sale)
  return Control.verifyAny(
    received,
    ["0", String(hundredths)].flatMap((amount) =>
      keys.map((key) => sign({ endpointId: pathId, client_orderid, amount, email }, key))
    )
  )
}

/** Returns a reading of the request in which the login was signed but not sent. */
const withLogin = (
  { fields, operation }: Claim,
  route: Route | undefined,
  context: Canonical.Context
): ReadonlyArray<Pick<ControlReadings.Reading, "values">> =>
  fields.login === undefined && operation.signing._tag === "Control" && operation.signing.recipe.includes("login")
    ? [{ values: Canonical.controlValues(operation, { ...fields, login: route?.merchant.login ?? "" }, context) }]
    : []

export const isOwn = ({ login }: FieldTexts, route: Route): boolean =>
  login === undefined || login === route.merchant.login

/**
 * Refuses a request for its fields if the sender has the key, but signed values that the rules refuse. Succeeds if the signed
 * fields are valid: then the signature itself is wrong.
 */
export const coveredFields = (
  { dialect, fields, operation, problems }: Claim,
  route: Route
): Result.Result<void, RequestRefused> => {
  const { signing } = operation
  const covered = isOwn(fields, route) && signing._tag === "Control" ? ["currency", ...signing.recipe] : ["login"]
  const decoded = operation.decodeFields(fields, dialect)
  const all = [...problems, ...(Result.isFailure(decoded) ? decoded.failure : []), ...tooFine(operation, fields, route)]
  return all.some(({ field }) => covered.includes(field))
    ? Result.fail(refuseFields(all, clientOrder(fields)?.id))
    : Result.void
}

/**
 * Returns a problem for an amount finer than hundredths, if the endpoint's controls cover hundredths
 * (docs/assumptions.md#control).
 */
export const tooFine = (operation: Operation, { amount }: FieldTexts, route: Route): ReadonlyArray<FieldProblem> => {
  const covered = operation.signing._tag === "Control" && operation.signing.recipe.includes("amount")
  if (!covered || amount === undefined || route.endpoints[0]?.controlAmount !== "x100") return []
  const hundredths = Money.toHundredths(amount)
  return Result.isFailure(hundredths) && Money.isAmount(amount)
    ? [{ field: "amount", code: hundredths.failure.code, message: `Parameter amount ${hundredths.failure.says}` }]
    : []
}

export interface Authenticated {
  readonly nonce: Decision.Decision
  /** Whether the request is a capture without an amount, and its `control` covers the amount and currency of its order. */
  readonly signsOrderAmount?: boolean
  /** Name of the control key, or fingerprint of the RSA key, that verified the signature. */
  readonly key: string | undefined
}

/** The empty decision of a request that was authenticated by `control`, which has no nonce. */
const noNonce: Decision.Decision = { guards: [], writes: [] }

const unproved: ReadonlySet<number> = new Set([
  codes.authenticationFailed.code,
  codes.authorizationRequired.code,
  codes.malformedForm.code,
  codes.oauthMalformed.code,
  codes.oauthMethodUnsupported.code,
  codes.oauthSignatureInvalid.code,
  codes.timestampSkewed.code
])

/** Whether a refusal is for a missing, repeated or wrong signature, or for one that cannot be read. */
const isUnproved = ({ code, problems }: RequestRefused): boolean =>
  unproved.has(code) || problems.some(({ field }) => field === "control")

/** Whether the signature was right. A request with a right signature may still be refused for its fields. */
export const verdict = (proved: Result.Result<Authenticated, RequestRefused>): "right" | "wrong" =>
  Result.isFailure(proved) && isUnproved(proved.failure) ? "wrong" : "right"
