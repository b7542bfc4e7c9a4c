/** A first contact with a gateway: harmless requests show its habits, which become a profile. */
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto"
import type { Dialect } from "@pay/schema/Dialect"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"
import type * as Control from "@pay/signing/Control"
import { Clock, Effect, Result } from "effect"
import * as Draft from "../Draft.ts"
import * as Exchange from "../Exchange.ts"
import * as Facts from "../Facts.ts"
import * as HarmlessRequest from "./HarmlessRequest.ts"
import * as Observation from "./Observation.ts"
import * as ObservedProfile from "./ObservedProfile.ts"
import type * as ProfileFile from "./ProfileFile.ts"

/** The options of a first contact. */
export interface Options {
  /** The address before `/api/`, with or without the path that the gateway's dialect has there. */
  readonly baseUrl: string
  readonly merchant: Draft.Merchant
  /** The path before `/api/` that is tried first. Default: none, then those of this protocol family. */
  readonly pathPrefix?: string
  /** A currency of the endpoint. Default USD. */
  readonly currency?: string
  /** The `client_orderid` of an order that exists, whose status is read. */
  readonly order?: string
  /** Longest duration of a request, in seconds. Default 30. */
  readonly limitSeconds?: number
  /** Called after each answer, with the number of answers until now. */
  readonly onAnswer?: (answers: number) => void
}

/** What a first contact has found. */
export interface Contact {
  readonly baseUrl: string
  readonly file: ProfileFile.ProfileFile
  /** What a gateway must not do: it accepted a request that it must refuse, or gave no answer. */
  readonly findings: ReadonlyArray<string>
  readonly requests: number
}

/** The paths before `/api/` that gateways of this protocol family have. */
const prefixes = ["", "/paynet", "/checkout", "/payment"]

/** What the requests of one contact share. */
interface Line {
  readonly baseUrl: string
  readonly merchant: Draft.Merchant
  readonly ask: Facts.Ask
  readonly announced: (text: string) => void
}

/** Sends a request, and returns what its answer shows. */
const observe = Effect.fnUntraced(function* (line: Line, request: HarmlessRequest.HarmlessRequest) {
  const { baseUrl, merchant } = line
  const nowSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const context = { baseUrl, settings: merchant, nowSeconds, nonce: randomUUID() }
  const answer = yield* line.ask(Draft.make(request.operation, request.fields, request.options, context))
  if (Result.isFailure(answer)) return { noAnswer: answer.failure.message } satisfies Observation.Silence
  const header = answer.success.headers[GatewayProfile.header]
  if (typeof header === "string") line.announced(header)
  return Observation.of(answer.success, merchant, request.fields)
})

/** Sends an empty request to a path that no gateway has. */
const nowhere = ({ ask, baseUrl, merchant }: Line) =>
  Effect.map(
    ask({
      method: "POST",
      url: `${baseUrl}/api/v2/no-such-operation/${merchant.endpoint}`,
      headers: Draft.headersOf(merchant),
      body: ""
    }),
    (answer) => (Result.isSuccess(answer) ? Observation.of(answer.success, merchant, {}) : undefined)
  )

/** Asks for the status of an unknown order in a dialect. `isOurs`: the answer is of this protocol. `isOwn`: no other path has it. */
const greet = Effect.fnUntraced(function* (start: Line, dialect: Dialect, freshId: () => string) {
  const line: Line = { ...start, merchant: { ...start.merchant, dialect } }
  const [request] = HarmlessRequest.statuses(line.merchant, freshId)
  const answer: Observation.Observed = request === undefined ? { noAnswer: "not sent" } : yield* observe(line, request)
  if (!Observation.isOfProtocol(answer)) return { answer, line, isOurs: false, isOwn: false }
  const isAnyPath = Observation.isSame(answer, yield* nowhere(line))
  return { answer, line, isOurs: answer.http !== 404 || !isAnyPath, isOwn: !isAnyPath }
})

/**
 * Finds the path before `/api/` and the dialect in which the gateway answers a request for a status. It speaks the older dialect if
 * it answers in it, and refuses the same request in JSON or answers it otherwise.
 */
const find = Effect.fnUntraced(function* (start: Line, freshId: () => string, firstPrefix: string) {
  let first: Observation.Observed | undefined
  let likely: { readonly pathPrefix: string; readonly line: Line } | undefined
  for (const pathPrefix of new Set([firstPrefix, ...prefixes])) {
    const below = { ...start, baseUrl: start.baseUrl + pathPrefix }
    const json = yield* greet(below, "json", freshId)
    const pairs = yield* greet(below, "pairs", freshId)
    first ??= json.answer
    if (!json.isOurs && !pairs.isOurs) continue
    const speaksPairs = Observation.isAnswer(pairs.answer) && pairs.answer.form === "pairs"
    const speaksJson = Observation.isAnswer(json.answer) && json.answer.form === "json" && json.isOurs
    const isEqual =
      Observation.isAnswer(json.answer) && Observation.isAnswer(pairs.answer) && json.answer.code === pairs.answer.code
    const place = { pathPrefix, line: speaksPairs && !(speaksJson && isEqual) ? pairs.line : json.line }
    if (json.isOwn || pairs.isOwn) return place
    likely ??= place
  }
  if (likely !== undefined) return likely
  const message =
    first !== undefined && "noAnswer" in first
      ? first.noAnswer
      : "no answer is of this protocol, with and without the paths /paynet, /checkout and /payment"
  return yield* new Facts.GatewayUnreachable({ code: Facts.noOperations, message })
})

/** Makes a key that no merchant has. */
const makeOtherKey = (): string =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  }).privateKey

/** Whether the merchant has the key that signs the operation. */
const canSign = ({ signing }: Operation, { privateKey }: Draft.Merchant): boolean =>
  signing._tag === "Control" || signing.methods[0] === "HMAC-SHA1" || privateKey !== undefined

/** Searches the recipe by which the gateway verifies an operation that refuses the recipe of the contract. */
const findRecipe = Effect.fnUntraced(function* (
  line: Line,
  request: HarmlessRequest.HarmlessRequest,
  refusal: Observation.Observed
) {
  for (const recipe of HarmlessRequest.recipes(request.operation)) {
    const answer = yield* observe(line, { ...request, options: { recipe } })
    const again = yield* observe(line, { ...request, options: { recipe } })
    const isOther = Observation.isRefusal(answer) && !Observation.isSame(answer, refusal)
    if (isOther && Observation.isSame(answer, again)) return recipe
  }
  return undefined
})

/** Makes the first contact. It sends about 80 requests, one after another. */
export const run = Effect.fnUntraced(function* (options: Options) {
  const { currency = "USD", limitSeconds = 30, onAnswer } = options
  const exchange = yield* Exchange.make
  const own = randomBytes(6).toString("hex")
  let ids = 0
  const freshId = () => {
    ids += 1
    return `${HarmlessRequest.prefix}${own}-${ids}`
  }
  let requests = 0
  let announces = ""
  const patient = Facts.asking(exchange, limitSeconds)
  const once = Facts.asking(exchange, limitSeconds, 0)
  let isThrottled = false
  const ask: Facts.Ask = (message) =>
    Effect.tap(isThrottled ? once(message) : patient(message), (answer) =>
      Effect.sync(() => {
        isThrottled = Result.isSuccess(answer) && answer.success.status === 429
        requests += 1
        onAnswer?.(requests)
      })
    )
  const announced = (text: string) => {
    announces = text
  }
  const start: Line = { baseUrl: options.baseUrl, merchant: options.merchant, ask, announced }
  const { line, pathPrefix } = yield* find(start, freshId, options.pathPrefix ?? "")
  const { merchant } = line
  const { operations } = yield* Facts.served({ baseUrl: line.baseUrl, settings: merchant }, ask, () => undefined)

  const answers = new Map<string, Observation.Observed>()
  const note = Effect.fnUntraced(function* (request: HarmlessRequest.HarmlessRequest) {
    const answer = yield* observe(line, request)
    answers.set(request.name, answer)
    return answer
  })
  for (const request of HarmlessRequest.statuses(merchant, freshId)) yield* note(request)

  const signatures = new Map<string, ObservedProfile.Signature>()
  const recipes = new Map<string, Control.Recipe>()
  let otherKey: string | undefined
  for (const operation of operations) {
    if (operation.name === "STATUS" || !canSign(operation, merchant)) continue
    const request = HarmlessRequest.signed(operation, merchant, freshId(), currency)
    const right = yield* note(request)
    if (!HarmlessRequest.wronglySignedOperations.includes(operation)) continue
    otherKey ??= makeOtherKey()
    const wrong = yield* note(HarmlessRequest.wronglySigned({ ...request }, otherKey))
    const isTold = Observation.isDecision(right) && Observation.isDecision(wrong) && !Observation.isSame(right, wrong)
    signatures.set(operation.name, isTold ? "accepted" : "not told from a wrong one")
    if (isTold || !HarmlessRequest.withOtherRecipes.includes(operation)) continue
    const recipe = yield* findRecipe(line, request, wrong)
    if (recipe === undefined) continue
    recipes.set(operation.name, recipe)
    signatures.set(operation.name, "accepted with another recipe")
  }
  const existing =
    options.order === undefined
      ? undefined
      : yield* observe(line, {
          name: "status of an order that exists",
          operation: HarmlessRequest.statusOperation,
          fields: { login: merchant.login, client_orderid: options.order },
          options: {}
        })
  const servesGroups = merchant.dialect === "pairs" && (yield* hasGroupPath(line, freshId))
  const observed = { pathPrefix, merchant, operations, answers, signatures, recipes, existing, servesGroups, announces }
  return {
    baseUrl: options.baseUrl,
    file: ObservedProfile.of(observed),
    findings: ObservedProfile.findings(observed),
    requests
  } satisfies Contact
})

/** Whether the gateway has the path of an endpoint group behind `/group/`, as the older dialect has. */
const hasGroupPath = Effect.fnUntraced(function* (line: Line, freshId: () => string) {
  const { endpoint, group } = line.merchant
  const id = group ?? endpoint
  const [request] = HarmlessRequest.statuses(line.merchant, freshId)
  if (request === undefined) return false
  const merchant = { ...line.merchant, group: id }
  const answer = yield* observe({ ...line, merchant }, { ...request, options: { endpointId: id } })
  return Observation.isOfProtocol(answer) && !Observation.isSame(answer, yield* nowhere(line))
})
