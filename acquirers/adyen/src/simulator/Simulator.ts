/**
 * A simulated Adyen on this machine: the calls of the Checkout API that the adapter makes, decided as Adyen's test environment documents
 * it, and signed webhooks. It is for tests and demonstrations; it keeps everything in memory.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Clock, Effect, Random, Result, Schema } from "effect"
import type { AdyenAmount } from "../AdyenAmount.ts"
import * as Answering from "./Answering.ts"
import * as EventQueue from "./EventQueue.ts"
import * as IdempotentAnswers from "./IdempotentAnswers.ts"
import * as RequestRules from "./RequestRules.ts"
import * as SimulatedBooks from "./SimulatedBooks.ts"
import * as SimulatedIssuer from "./SimulatedIssuer.ts"
import * as Payments from "./SimulatedPayments.ts"
import * as TestCards from "./TestCards.ts"
import * as Weather from "./Weather.ts"

export type { Fault } from "./Weather.ts"

/** What the simulator knows of its merchant. */
export interface Options {
  readonly apiKey: string
  /** The key that signs webhooks: 64 hexadecimal digits. */
  readonly hmacKey: string
  readonly merchantAccounts: ReadonlyArray<string>
  /** The port on which it listens. Default 0: a free one. */
  readonly port?: number
}

interface Incoming {
  /** The address of this machine under which the request came, without a path. */
  readonly base: string
  readonly path: string
  readonly body: string
  readonly apiKey: string | undefined
  readonly idempotencyKey: string | undefined
}

/** What happens to a request: an answer, or none because the connection is cut. */
type Reply = IdempotentAnswers.Answer | "cut"

const parsed = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

const symbols = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
const pspReferenceLength = 16

const newPspReference = Effect.map(
  Effect.all(Array.from({ length: pspReferenceLength }, () => Random.nextIntBetween(0, symbols.length))),
  (indices) => indices.map((index) => symbols.charAt(index)).join("")
)

const modificationKinds = { captures: true, cancels: true, refunds: true, reversals: true } as const
const isModification = (kind: string | undefined): kind is keyof typeof modificationKinds =>
  kind !== undefined && Object.hasOwn(modificationKinds, kind)

/** Makes the simulator without a network: a function from a request to a reply. */
const make = Effect.fnUntraced(function* (options: Options) {
  let webhookUrl: string | undefined
  const events = yield* EventQueue.make({ hmacKey: options.hmacKey, webhookUrl: () => webhookUrl })
  const weather = Weather.make()
  const issuer = SimulatedIssuer.make()
  const books = SimulatedBooks.make()
  const answers = IdempotentAnswers.make()
  const payments = new Map<string, Payments.SimulatedPayment>()
  const modified = new Map<string, Payments.SimulatedEvent>()
  const lateEvents: Array<Payments.SimulatedEvent> = []
  const requests: Array<Pick<Incoming, "path" | "body" | "idempotencyKey">> = []

  const announce = (event: Payments.SimulatedEvent, fault: Weather.Fault | undefined) => {
    if (fault === "eventFirst") return events.addNow(event)
    if (fault === "eventLate") return Effect.sync(() => lateEvents.push(event))
    return events.add(event, fault === "eventTwice" ? 2 : 1)
  }

  const pay = Effect.fnUntraced(function* (request: RequestRules.Payment, fault: Weather.Fault | undefined) {
    const refusal = TestCards.decide(request.paymentMethod)
    const approved = fault === "partial" ? Math.floor(request.amount.value / 2) : request.amount.value
    const authorised = refusal === undefined ? approved : 0
    const payment = Payments.pay(request, { authorised, refusal, pspReference: yield* newPspReference })
    payments.set(payment.pspReference, payment)
    books.paid(payment, request, yield* Clock.currentTimeMillis)
    const additionalData = Answering.additionalDataOf(payment, request.paymentMethod.cvc !== undefined)
    yield* announce(Payments.authorisation(payment, additionalData), fault)
    return Answering.payment(payment, additionalData)
  })

  const byReference = (reference: string) => [...payments.values()].find((payment) => payment.reference === reference)

  const modify = Effect.fnUntraced(function* (
    kind: Payments.ModificationKind,
    original: { readonly pspReference: string | undefined; readonly reference: string | undefined },
    request: { readonly merchantAccount: string; readonly reference?: string; readonly amount?: AdyenAmount },
    fault: Weather.Fault | undefined
  ) {
    const { amount, merchantAccount, reference = "" } = request
    const modification = { kind, pspReference: yield* newPspReference, merchantAccount, reference, amount }
    const payment =
      original.pspReference === undefined ? byReference(original.reference ?? "") : payments.get(original.pspReference)
    const openBefore = payment === undefined ? 0 : payment.authorised - payment.captured
    const event = Payments.modify(payment, modification)
    modified.set(reference, event)
    if (payment !== undefined)
      books.modified(payment, openBefore, modification, event.success === "true", yield* Clock.currentTimeMillis)
    yield* announce(event, fault)
    return Answering.modification(modification, original)
  })

  /** Reads the body of a request by its schema, and does it. */
  const when = <A>(
    schema: Schema.Decoder<A>,
    body: unknown,
    act: (request: A) => Effect.Effect<IdempotentAnswers.Answer>
  ) => {
    const request = RequestRules.decode(schema, body)
    return Result.isFailure(request) ? Effect.succeed(Answering.invalid(request.failure)) : act(request.success)
  }

  const act = ({ base, path }: Incoming, body: unknown, fault: Weather.Fault | undefined) => {
    const [, , resource, pspReference, kind, ...others] = path.split("/")
    if (resource === "payments" && pspReference === undefined)
      return when(RequestRules.Payment, body, (request) =>
        request.authenticationData?.authenticationOnly === true
          ? Effect.sync(() => issuer.begin(request, base))
          : pay(request, fault)
      )
    if (resource === "payments" && pspReference === "details" && kind === undefined)
      return when(RequestRules.Details, body, ({ details, paymentData }) =>
        Effect.sync(() => issuer.goOn(paymentData, "threeds2.challengeResult" in details, base))
      )
    if (resource === "cancels" && pspReference === undefined)
      return when(RequestRules.StandaloneCancel, body, (request) =>
        modify("technicalCancels", { pspReference: undefined, reference: request.paymentReference }, request, fault)
      )
    if (resource !== "payments" || !isModification(kind) || others.length > 0) return undefined
    const hasAmount = kind === "captures" || kind === "refunds"
    const original = { pspReference, reference: undefined }
    return hasAmount
      ? when(RequestRules.AmountModification, body, (request) => modify(kind, original, request, fault))
      : when(RequestRules.Modification, body, (request) => modify(kind, original, request, fault))
  }

  const accountOf = Schema.decodeUnknownResult(Schema.Struct({ merchantAccount: Schema.String }))

  const handle = Effect.fnUntraced(function* (incoming: Incoming): Effect.fn.Return<Reply> {
    const { apiKey, body: content, idempotencyKey, path } = incoming
    const page = issuer.page(path, content)
    if (page !== undefined) return page
    if (apiKey !== options.apiKey) return Answering.unauthorized
    const json = parsed(content)
    if (Result.isFailure(json)) return Answering.invalid("Unable to decode request: not JSON")
    const account = accountOf(json.success)
    if (Result.isSuccess(account) && !options.merchantAccounts.includes(account.success.merchantAccount))
      return Answering.notAllowed
    requests.push({ path, body: content, idempotencyKey })
    const fault = weather.take()
    const prevented = Answering.prevented(fault)
    if (prevented !== undefined) return prevented
    if (fault === "requestCut") return "cut"
    const now = yield* Clock.currentTimeMillis
    const key = idempotencyKey ?? `none ${requests.length}`
    const precedent = answers.begin(key, `${path}\n${content}`, now)
    if (precedent._tag === "Conflict") return Answering.conflict(precedent.isTransient)
    if (precedent._tag === "Answered") return precedent.answer
    const answer = yield* act(incoming, json.success, fault) ?? Effect.succeed(Answering.notFound)
    const headers = { ...answer.headers, "idempotency-key": key, date: new Date(now).toUTCString() }
    precedent.keep({ ...answer, headers })
    return fault === "answerCut" ? "cut" : { ...Answering.spoiled(answer, fault), headers }
  })

  return {
    handle,
    /** Everything that was asked, with the card data of test cards. */
    requests,
    payments,
    weather,
    issuers: issuer.issuers,
    /** What was booked, as a gateway reads it. */
    books: books.adapter,
    events,
    /** Delivers the events that were kept back. */
    release: Effect.suspend(() =>
      Effect.forEach(lateEvents.splice(0), (event) => events.add(event), { discard: true })
    ),
    /** Lets a capture or refund that was done fail, and sends the event. */
    failLate: (reference: string) =>
      Effect.suspend(() => {
        const done = modified.get(reference)
        const payment = payments.get(done?.originalReference ?? "")
        if (done === undefined || payment === undefined)
          return Effect.die(new Error(`nothing was done as ${reference}`))
        books.failed(reference)
        return events.add(Payments.failure(payment, done))
      }),
    deliverTo: (url: string) => {
      webhookUrl = url
    }
  }
})

const incomingOf = async (request: IncomingMessage): Promise<Incoming> => ({
  base: `http://${request.headers.host}`,
  path: new URL(request.url ?? "/", "http://simulator").pathname,
  body: await text(request),
  apiKey: [request.headers["x-api-key"]].flat()[0],
  idempotencyKey: [request.headers["idempotency-key"]].flat()[0]
})

const write = (reply: Reply, response: ServerResponse) => {
  if (reply === "cut") response.destroy()
  else response.writeHead(reply.status, { ...reply.headers }).end(reply.body)
}

/** Listens on this machine until the scope ends. `url`: the address of the API with its version. */
export const open = Effect.fnUntraced(function* (options: Options) {
  const simulator = yield* make(options)
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const server = createServer((request, response) => {
    run(
      Effect.promise(() => incomingOf(request)).pipe(
        Effect.flatMap(simulator.handle),
        Effect.map((reply) => write(reply, response))
      )
    )
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  const port = yield* Effect.callback<number>((resume) => {
    server.once("error", (error) => resume(Effect.die(error)))
    server.listen(options.port ?? 0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
  const { handle: _, ...control } = simulator
  return { ...control, url: `http://127.0.0.1:${port}/v71` }
})
export type Simulator = Effect.Success<ReturnType<typeof open>>
