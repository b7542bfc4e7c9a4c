/**
 * Advances an authentication by one step: sends the request of its stage to the 3-D Secure server, or ends a stage whose
 * time is over. Every call is idempotent by its reference, so a job that was started before just sends its request again.
 */

import { Clock, Effect, Option, Redacted } from "effect"
import * as Decision from "../kernel/Decision.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import { PublicAddress } from "../kernel/PublicAddress.ts"
import type { Rows } from "../kernel/Rows.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory } from "../merchants/Directory.ts"
import * as Continuations from "../orders/outcomes/Continuations.ts"
import * as Uncommitted from "../orders/outcomes/Uncommitted.ts"
import { Card, Cvv } from "../orders/record/Card.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import { type CannotOpen, KeyVault } from "../vault/KeyVault.ts"
import { Authentication } from "./decide/Authentication.ts"
import type { Event, Silent } from "./decide/AuthenticationProgress.ts"
import * as AuthenticationProgress from "./decide/AuthenticationProgress.ts"
import * as BrowserFacts from "./decide/BrowserFacts.ts"
import * as ThreeDSAddresses from "./decide/ThreeDSAddresses.ts"
import * as ThreeDSStages from "./decide/ThreeDSStages.ts"
import { type Hint, ThreeDSServer, ThreeDSServerError, type Verdict } from "./ThreeDSServer.ts"

/** Returns the reference `orderid-threeds-n`; n is the number of the payment attempt of a hosted session. */
const reference = ({ attempt, orderId }: Authentication): string => `${orderId}-threeds-${attempt}`

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const vault = yield* KeyVault
  const scheduler = yield* Scheduler
  const directory = yield* Directory
  const settings = yield* Settings
  const publicAddress = yield* PublicAddress
  const continuations = yield* Continuations.Continuations
  const server = Option.getOrUndefined(yield* Effect.serviceOption(ThreeDSServer))

  const load = Effect.fnUntraced(function* (job: Job, rows: Rows) {
    const order = yield* rows.load(Order, [job.subject])
    const authentication = yield* rows.load(Authentication, [job.subject])
    const request = order === undefined ? undefined : yield* rows.load(OrderRequest, [order.requestId])
    return order === undefined || authentication === undefined || request === undefined
      ? undefined
      : {
          order,
          request,
          job,
          authentication,
          continuation: yield* Continuations.load(continuations, rows, order, request)
        }
  })

  const encryptedVerdict = (
    orderId: string,
    { authenticationValue, eci, transStatus }: Verdict
  ): AuthenticationProgress.Verdict => ({
    transStatus,
    eci: eci ?? null,
    encryptedAuthenticationValue:
      authenticationValue === undefined
        ? null
        : Buffer.from(vault.encrypt(authenticationValue, orderId)).toString("base64url")
  })

  /** Returns the behaviour that the security code selects at a simulated issuer; undefined in production. */
  const hintOf = Effect.fnUntraced(
    function* ({ capabilities: { hints } }: ThreeDSServer["Service"], orderId: string) {
      const cvv = settings.production || hints === undefined ? undefined : yield* store.load(Cvv, [orderId])
      if (hints === undefined || cvv === undefined) return undefined
      return hints.get(Redacted.value(yield* vault.decryptShortLived(cvv.encryptedCvv, orderId)))
    },
    Effect.catchTag("CannotOpen", () => Effect.undefined)
  )

  const enrol = Effect.fnUntraced(function* (
    adapter: ThreeDSServer["Service"],
    context: AuthenticationProgress.AuthenticationContext
  ) {
    const { authentication, order } = context
    const card = yield* store.load(Card, [order.orderId])
    if (card === undefined) return silent
    const hint: Hint | undefined = yield* hintOf(adapter, order.orderId)
    const enrolment = yield* adapter.enrol({
      reference: reference(authentication),
      pan: yield* vault.decrypt(card.encryptedPan, order.orderId),
      expireMonth: order.expireMonth,
      expireYear: order.expireYear,
      amountMinor: order.amountMinor,
      currency: order.currency,
      merchantName: directory.merchant(order.merchantId)?.name ?? order.merchantId,
      ...(hint === undefined ? {} : { hint })
    })
    return { _tag: "Enrolled", enrolment } satisfies Event
  })

  const askIssuer = Effect.fnUntraced(function* (
    adapter: ThreeDSServer["Service"],
    context: AuthenticationProgress.AuthenticationContext
  ) {
    const { authentication, order } = context
    const { browser, completionIndicator, mode, pageToken, protocol, serverTransId } = authentication
    const own = ThreeDSAddresses.make(publicAddress.baseUrl(), pageToken).challenge
    const answer = yield* adapter.authenticate({
      reference: reference(authentication),
      serverTransId: serverTransId ?? "",
      completionIndicator: completionIndicator ?? "U",
      browser: BrowserFacts.inMessage(BrowserFacts.fromRow(browser), protocol ?? ""),
      notificationUrl: mode === "gateway" ? own : (order.redirectUrl ?? "")
    })
    return answer._tag === "Finished"
      ? ({
          _tag: "Finished",
          verdict: encryptedVerdict(order.orderId, answer.verdict)
        } satisfies Event)
      : ({ ...answer, _tag: "Challenged" } satisfies Event)
  })

  /**
   * Returns the verdict that the issuer reported. For version 1 it is that of the PaRes, which was verified when it
   * arrived.
   */
  const report = Effect.fnUntraced(function* (
    adapter: ThreeDSServer["Service"],
    { authentication }: AuthenticationProgress.AuthenticationContext
  ) {
    const { eci, orderId, encryptedAuthenticationValue, serverTransId, transStatus } = authentication
    if (transStatus !== null) {
      return {
        _tag: "Reported",
        verdict: { transStatus, eci, encryptedAuthenticationValue }
      } satisfies Event
    }
    const verdict = yield* adapter.result(serverTransId ?? "")
    return verdict === undefined
      ? silent
      : ({ _tag: "Reported", verdict: encryptedVerdict(orderId, verdict) } satisfies Event)
  })

  const ask = (
    adapter: ThreeDSServer["Service"],
    context: AuthenticationProgress.AuthenticationContext
  ): Effect.Effect<Event, ThreeDSServerError | CannotOpen | StoreUnavailable> => {
    switch (context.authentication.stage) {
      case "enrol":
        return enrol(adapter, context)
      case "areq":
        return askIssuer(adapter, context)
      default:
        return report(adapter, context)
    }
  }

  /**
   * Calls the 3-D Secure server. No answer within the deadline, no configured server and an answer that cannot be read all count
   * as `Silent`, never as a verdict.
   */
  const callServer = (context: AuthenticationProgress.AuthenticationContext) =>
    server === undefined
      ? Effect.succeed<Event>(silent)
      : ask(server, context).pipe(
          Effect.timeoutOrElse({
            duration: server.capabilities.deadlineMs,
            orElse: () => Effect.fail(new ThreeDSServerError({ message: "no answer in time" }))
          }),
          Effect.catchTags({
            ThreeDSServerError: ({ answer, message }) =>
              Effect.as(Effect.logInfo("The 3-D Secure server gave no answer", message), {
                ...silent,
                ...(answer !== undefined && { unreadable: { reason: message, answer } })
              }),
            CannotOpen: (error) =>
              Effect.as(Effect.logWarning("A card cannot be decrypted for 3-D Secure", error), silent)
          }),
          Effect.annotateLogs({ orderId: context.order.orderId })
        )

  /** Returns the evidence of what the 3-D Secure server gave instead of an answer. */
  const evidenceOf = ({ authentication }: AuthenticationProgress.AuthenticationContext, event: Event, atMs: number) =>
    event._tag === "Silent" && event.unreadable !== undefined
      ? [
          Decision.append(Evidence, {
            evidenceId: ids.next(),
            reference: reference(authentication),
            orderId: authentication.orderId,
            answer: JSON.stringify({ _tag: "Lost", ...event.unreadable }),
            atMs
          })
        ]
      : []

  /** Returns the event of the stage. While the browser is away, the job is due only when the browser's time is over. */
  const eventOf = (context: AuthenticationProgress.AuthenticationContext) =>
    ThreeDSStages.waitsForBrowser(context.authentication.stage) ? Effect.succeed(deadline) : callServer(context)

  const step = Effect.fnUntraced(function* (job: Job, rows: Rows) {
    const context = yield* load(job, rows)
    if (context === undefined || Lifecycle.next(context.order.state, "reject") === undefined) {
      return yield* store.commit({
        guards: [Decision.leaseOf(job)],
        writes: [Decision.remove(Job, [job.jobId])]
      })
    }
    const event: Event = yield* eventOf(context)
    // An answer that cannot be committed counts as no answer, so that it authenticates nobody.
    yield* Uncommitted.onDefect(apply(context, event), (reason) =>
      apply(context, { ...silent, unreadable: { reason, answer: event._tag } })
    )
  })

  /** Decides what an event changes, and commits it. */
  const apply = Effect.fnUntraced(function* (context: AuthenticationProgress.AuthenticationContext, event: Event) {
    const nowMs = yield* Clock.currentTimeMillis
    const terms: AuthenticationProgress.Terms = {
      nowMs,
      claim: scheduler.claim(nowMs, "threeds", context.order.merchantId),
      methodMs: settings.methodMs,
      browserMs: settings.browserMs,
      challengeMs: settings.challengeMs,
      unavailable: directory.endpoint(context.order.endpointId)?.threedsUnavailable ?? "decline"
    }
    const evidence = evidenceOf(context, event, nowMs)
    const { guards, writes } = AuthenticationProgress.decide(context, event, terms).decision
    yield* store.commit({ guards, writes: [...writes, ...evidence] })
  })

  /** Carries out one step. A process that has lost the lease leaves the job to the current holder. */
  const advance = (job: Job, written: Rows) => {
    let rows = written
    return Transact.transact({
      attempt: Effect.suspend(() => step(job, rows)),
      reload: Effect.sync(() => {
        rows = store
      }),
      onLostGuard: ({ _tag }) => (_tag === "LeaseIs" ? Effect.void : "again"),
      exhausted: () => Effect.void
    })
  }

  /** If an error occurs, the job stays leased. It runs again when the lease expires. */
  return (job: Job, rows: Rows): Effect.Effect<void> =>
    Effect.catch(advance(job, rows), (error) => Effect.logDebug("An authentication has to wait", error))
})

const silent: Silent = { _tag: "Silent" }
const deadline: Event = { _tag: "Deadline" }
