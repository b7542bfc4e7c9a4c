import type * as Dialect from "@pay/schema/Dialect"
import { Context, Effect, Layer } from "effect"
import { type Answer, fromRefused, type RequestRefused, refuse } from "../kernel/Answer.ts"
import { Ids, NoProcessNumber } from "../kernel/Ids.ts"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import { Settings } from "../kernel/Settings.ts"
import type { StoreUnavailable } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import * as AnswerCount from "./AnswerCount.ts"
import * as NewOrders from "./NewOrders.ts"
import * as RefusalLog from "./RefusalLog.ts"
import { accepts, header, type ReceivedRequest } from "./RequestHead.ts"
import * as RequestLog from "./RequestLog.ts"
import * as RequestSpan from "./RequestSpan.ts"
import { isApi, olderFormOf, operationPathOf, pathIdOf, type Target, targetOf } from "./RequestTarget.ts"
import * as ServeCall from "./ServeCall.ts"
import * as VerifySender from "./VerifySender.ts"
import * as WrittenAnswer from "./WrittenAnswer.ts"

export class Front extends Context.Service<
  Front,
  {
    /** Answers a request. Never fails: a refusal, an unavailable store and a defect are answers too. */
    readonly handle: (request: ReceivedRequest) => Effect.Effect<WrittenAnswer.WrittenAnswer>
    /** The reason for which it refuses new orders; see {@link NewOrders}. */
    readonly closed: NewOrders.NewOrders["Service"]["closed"]
    /** Number of requests so far for which the store could not serve. */
    readonly storeFailures: () => number
    /** Writes a refusal that was made before the front. Without a request it is written in JSON. */
    readonly refusal: (
      refused: RequestRefused,
      request?: Pick<ReceivedRequest, "headers"> & Pick<Target, "path">
    ) => WrittenAnswer.WrittenAnswer
  }
>()("@pay/gateway/Front") {}

export const layer = Layer.effect(
  Front,
  Effect.gen(function* () {
    const directory = yield* Directory
    const ids = yield* Ids
    const settings = yield* Settings
    const verify = yield* VerifySender.make
    const serve = yield* ServeCall.make
    const { closed } = yield* NewOrders.NewOrders
    const requestLog = yield* RequestLog.RequestLog
    const traced = yield* RequestSpan.make
    const alert = yield* AnswerCount.unknownAlert
    let storeFailures = 0
    const hasPairs = settings.dialects.includes("pairs")
    /**
     * Returns the dialect of the answer. Only an endpoint with the older dialect answers in it, or a group with such an endpoint. An
     * address without an endpoint answers in the specification's form, whatever `Accept` says.
     */
    const dialectOf = (request: Pick<ReceivedRequest, "headers">, { path }: Pick<Target, "path">): Dialect.Dialect => {
      if (!hasPairs || !isApi(path) || accepts(header(request, "accept"))) return "json"
      const pathId = pathIdOf(path)
      const route = pathId === undefined ? undefined : directory.route(pathId)
      return route?.endpoints.some(({ dialects }) => dialects.has("pairs")) === true ? "pairs" : "json"
    }

    const refusedAnswer = (refused: RequestRefused): Answer =>
      fromRefused(refused, SerialNumber.first(ids.nextOrRandom()))
    const write = (answer: Answer, dialect: Dialect.Dialect, { path }: Pick<Target, "path">) =>
      WrittenAnswer.write(answer, dialect, dialect === "json" ? "json" : olderFormOf(path))

    const ended = (observed: RequestLog.Observed, answer: Answer, refused?: RequestRefused): Effect.Effect<Answer> =>
      AnswerCount.count(answer, observed, requestLog.end(observed, answer, refused))
    const refusedWith = (observed: RequestLog.Observed, refused: RequestRefused): Effect.Effect<Answer> =>
      Effect.suspend(() => ended(observed, refusedAnswer(refused), refused))
    const failed = (error: RequestRefused | StoreUnavailable, { path }: Target, observed: RequestLog.Observed) =>
      error._tag === "RequestRefused"
        ? Effect.andThen(RefusalLog.log(error, operationPathOf(path)), refusedWith(observed, error))
        : Effect.suspend(() => {
            storeFailures += 1
            const refused = error.outcomeUnknown
              ? refuse("serverError")
              : NewOrders.refusal(NewOrders.unwritable, observed.clientOrderId)
            return Effect.andThen(Effect.logError("The store cannot serve", error), refusedWith(observed, refused))
          })
    const answerDefect = (defect: unknown, observed: RequestLog.Observed): Effect.Effect<Answer> =>
      defect instanceof NoProcessNumber
        ? Effect.andThen(Effect.logError(defect.message), refusedWith(observed, refuse("unavailable")))
        : Effect.andThen(
            Effect.logError("A request failed with a defect", defect),
            refusedWith(observed, refuse("serverError"))
          )

    const handle = (request: ReceivedRequest) =>
      Effect.suspend(() => {
        const observed = requestLog.begin(request.remoteAddress)
        const target = targetOf(request.publicBaseUrl, request.target)
        const dialect = dialectOf(request, target)
        const answer = Effect.catchDefect(
          Effect.matchEffect(Effect.flatMap(verify(request, target, dialect, observed), serve), {
            onFailure: (error) => Effect.annotateLogs(failed(error, target, observed), RequestLog.aboutOf(observed)),
            onSuccess: (answer) => Effect.tap(ended(observed, answer), RequestLog.answered(observed))
          }),
          (defect) => Effect.annotateLogs(answerDefect(defect, observed), RequestLog.aboutOf(observed))
        )
        const spanned = traced(request, target, observed, answer)
        return dialect === "json"
          ? Effect.map(spanned, WrittenAnswer.json)
          : Effect.map(Effect.tap(spanned, alert), (answer) => write(answer, dialect, target))
      })
    return Front.of({
      handle,
      closed,
      storeFailures: () => storeFailures,
      refusal: (refused, request) =>
        request === undefined
          ? WrittenAnswer.json(refusedAnswer(refused))
          : write(refusedAnswer(refused), dialectOf(request, request), request)
    })
  })
)
