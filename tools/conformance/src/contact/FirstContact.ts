/** A first contact with a gateway: harmless requests show its habits, which become a profile. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type * as Control from "@pay/signing/Control"
import { type Duration, Effect } from "effect"
import type * as Draft from "../Draft.ts"
import * as Exchange from "../Exchange.ts"
import * as Facts from "../Facts.ts"
import * as Regularly from "../Regularly.ts"
import * as HarmlessRequest from "./HarmlessRequest.ts"
import * as Line from "./Line.ts"
import * as Observation from "./Observation.ts"
import * as ObservedProfile from "./ObservedProfile.ts"
import * as Place from "./Place.ts"
import type * as ProfileFile from "./ProfileFile.ts"

/** How far a first contact is. */
export interface Progress {
  /** What is asked, in words. */
  readonly asks: string
  readonly answered: number
  /** How many requests are expected in all, as far as is known now. */
  readonly expected: number
  readonly elapsedMs: number
}

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
  /** Largest number of concurrent requests. Default 4. */
  readonly concurrency?: number
  /** Called at regular times, also while no answer arrives. */
  readonly onProgress?: (progress: Progress) => void
  /** The time between two calls of `onProgress`. Default one second. */
  readonly progressEvery?: Duration.Input
  /** Ends the contact when it succeeds, with the reason. The contact then has what the answers until then prove. */
  readonly stop?: Effect.Effect<string>
}

/** What a first contact has found. */
export interface Contact {
  readonly baseUrl: string
  /** Whether the path before `/api/` and the dialect were found. If not, the profile is empty, and says nothing. */
  readonly isPlaced: boolean
  readonly file: ProfileFile.ProfileFile
  /** What a gateway must not do: it accepted a request that it must refuse, or gave no answer. */
  readonly findings: ReadonlyArray<string>
  readonly requests: number
  /** Why the contact ended before everything was asked. `undefined` if everything was asked. */
  readonly unfinished: string | undefined
}

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

/** The operations whose signatures are tried. Those of a status have requests of their own. */
const triedOf = (operations: ReadonlyArray<Operation>, merchant: Draft.Merchant): ReadonlyArray<Operation> =>
  operations.filter((operation) => operation.name !== "STATUS" && canSign(operation, merchant))

const wronglySigned: ReadonlySet<Operation> = new Set(HarmlessRequest.wronglySignedOperations)

const signaturesOf = (tried: ReadonlyArray<Operation>): number =>
  tried.length + tried.filter((operation) => wronglySigned.has(operation)).length

/** Searches the recipe by which the gateway verifies an operation that refuses the recipe of the contract. */
const findRecipe = Effect.fnUntraced(function* (
  line: Line.Line,
  request: HarmlessRequest.HarmlessRequest,
  refusal: Observation.Observed
) {
  const recipes = HarmlessRequest.recipes(request.operation)
  line.steps.expected += recipes.length
  for (const [index, recipe] of recipes.entries()) {
    const answer = yield* Line.observe(line, { ...request, options: { recipe } })
    if (!Observation.isRefusal(answer) || Observation.isSame(answer, refusal)) continue
    const again = yield* Line.observe(line, { ...request, options: { recipe } })
    if (!Observation.isSame(answer, again)) continue
    line.steps.expected -= recipes.length - index - 1
    return recipe
  }
  return undefined
})

/** What a contact collects while it goes on. */
type Collecting = {
  -readonly [Name in keyof ObservedProfile.Collected]: ObservedProfile.Collected[Name]
} & Record<"answers" | "tried", Map<string, Observation.Observed>> & {
    readonly signatures: Map<string, ObservedProfile.Signature>
    readonly recipes: Map<string, Control.Recipe>
    readonly names: Array<string>
  }

/** Asks for orders that do not exist, and for the one that exists. */
const askStatuses = Effect.fnUntraced(function* (line: Line.Line, collected: Collecting, order: string | undefined) {
  const existing = Effect.gen(function* () {
    if (order === undefined) return
    collected.existing = yield* Line.observe(line, {
      name: "status of an order that exists",
      operation: HarmlessRequest.statusOperation,
      fields: { login: line.merchant.login, client_orderid: order },
      options: {}
    })
  })
  const unknown = HarmlessRequest.statuses(line.merchant, line.freshId)
  collected.names.push(...unknown.map(({ name }) => name))
  const questions = unknown.map((request) => note(line, collected, request))
  yield* Effect.all([existing, ...questions], { concurrency: line.concurrency, discard: true })
})

const note = Effect.fnUntraced(function* (
  line: Line.Line,
  { answers }: Collecting,
  request: HarmlessRequest.HarmlessRequest
) {
  const answer = yield* Line.observe(line, request)
  answers.set(request.name, answer)
  return answer
})

/**
 * Finds whether the gateway accepts the signature of an operation. Another recipe is searched only if the control of a status is
 * told from a wrong one: otherwise the key is wrong, or every request has the same answer, and no recipe shows.
 */
const trySignature = Effect.fnUntraced(function* (
  line: Line.Line,
  collected: Collecting,
  request: HarmlessRequest.HarmlessRequest,
  wrongRequest: HarmlessRequest.HarmlessRequest | undefined
) {
  const { operation } = request
  const right = yield* note(line, collected, request)
  if (wrongRequest === undefined) return
  const wrong = yield* note(line, collected, wrongRequest)
  const isTold = Observation.isDecision(right) && Observation.isDecision(wrong) && !Observation.isSame(right, wrong)
  if (!isTold && HarmlessRequest.withOtherRecipes.includes(operation) && ObservedProfile.isVerified(collected)) {
    const recipe = yield* findRecipe(line, request, wrong)
    if (recipe !== undefined) {
      collected.recipes.set(operation.name, recipe)
      collected.signatures.set(operation.name, "accepted with another recipe")
      return
    }
  }
  collected.signatures.set(operation.name, isTold ? "accepted" : "not told from a wrong one")
})

/** Asks everything, and collects the answers. */
const askAll = Effect.fnUntraced(function* (start: Line.Line, collected: Collecting, options: Options) {
  const { currency = "USD", order, pathPrefix = "" } = options
  const statuses = HarmlessRequest.statuses(start.merchant, start.freshId).length + (order === undefined ? 0 : 1)
  const empty = 1 + PayApi.all.length
  const later = statuses + signaturesOf(triedOf(PayApi.all, start.merchant))
  const place = yield* Place.find(start, {
    firstPrefix: pathPrefix,
    later: empty + later,
    onAnswer: (where, answer) => collected.tried.set(`status of an unknown order at ${where}`, answer)
  })
  const { line } = place
  const { merchant } = line
  collected.pathPrefix = place.pathPrefix
  collected.merchant = merchant
  Line.begin(line, "finding the operations", empty + later)
  const subject = { baseUrl: line.baseUrl, settings: merchant }
  const { operations } = yield* Facts.served(subject, line.ask, () => undefined, line.concurrency)
  collected.operations = operations
  const tried = triedOf(operations, merchant)
  const group = merchant.dialect === "pairs" ? 2 : 0
  Line.begin(line, "asking for orders that do not exist", statuses + signaturesOf(tried) + group)
  yield* askStatuses(line, collected, order)
  Line.begin(line, "trying the signature of each operation", signaturesOf(tried) + group)
  const otherKey = makeOtherKey()
  const requests = tried.map((operation) => {
    const right = HarmlessRequest.signed(operation, merchant, line.freshId(), currency)
    return { right, wrong: wronglySigned.has(operation) ? HarmlessRequest.wronglySigned(right, otherKey) : undefined }
  })
  collected.names.push(...requests.flatMap(({ right, wrong }) => [right.name, ...(wrong ? [wrong.name] : [])]))
  yield* Effect.forEach(requests, ({ right, wrong }) => trySignature(line, collected, right, wrong), {
    concurrency: line.concurrency,
    discard: true
  })
  Line.begin(line, "asking for the path of groups", group)
  if (group > 0) collected.servesGroups = yield* Place.hasGroupPath(line)
  return undefined
})

const makeFreshId = (): (() => string) => {
  const own = randomBytes(6).toString("hex")
  let ids = 0
  return () => {
    ids += 1
    return `${HarmlessRequest.prefix}${own}-${ids}`
  }
}

/**
 * Makes the first contact, with about 90 requests, a few side by side. A contact that is stopped succeeds with what the answers
 * until then prove.
 */
export const run = Effect.fnUntraced(function* (options: Options) {
  const { baseUrl, concurrency = 4, limitSeconds = 30, merchant, onProgress, stop = Effect.never } = options
  const steps: Line.Steps = { asks: "", answered: 0, expected: 0, announces: "" }
  const ask = Line.asking(yield* Exchange.make, limitSeconds, steps)
  const line: Line.Line = { baseUrl, merchant, ask, steps, freshId: makeFreshId(), concurrency }
  const collected: Collecting = {
    pathPrefix: undefined,
    merchant,
    operations: undefined,
    tried: new Map(),
    names: [],
    answers: new Map(),
    signatures: new Map(),
    recipes: new Map(),
    existing: undefined,
    servesGroups: false,
    announces: "",
    isFinished: false
  }
  if (onProgress !== undefined) {
    const tell = (elapsedMs: number) => {
      const { answered, asks, expected } = steps
      onProgress({ asks, answered, expected: Math.max(answered, expected), elapsedMs })
    }
    yield* Effect.forkScoped(Regularly.report(tell, options.progressEvery))
  }
  const unfinished = yield* Effect.raceFirst(askAll(line, collected, options), stop)
  const end = { ...collected, announces: steps.announces, isFinished: unfinished === undefined }
  return {
    baseUrl,
    isPlaced: end.pathPrefix !== undefined,
    file: ObservedProfile.of(end),
    findings: ObservedProfile.findings(end),
    requests: steps.answered,
    unfinished
  } satisfies Contact
})
