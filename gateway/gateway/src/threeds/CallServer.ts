/**
 * Calls the 3-D Secure server for the current stage of an authentication. Every call has the reference of the authentication, so the
 * server carries out a repeated one once.
 */

import { Effect, Option, Redacted } from "effect"
import { PublicAddress } from "../kernel/PublicAddress.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import { Card, Cvv } from "../orders/record/Card.ts"
import { type CannotOpen, KeyVault } from "../vault/KeyVault.ts"
import type { Authentication } from "./decide/Authentication.ts"
import type { AuthenticationContext, EncryptedVerdict, Event, Silent } from "./decide/AuthenticationProgress.ts"
import * as BrowserFacts from "./decide/BrowserFacts.ts"
import * as ThreeDSAddresses from "./decide/ThreeDSAddresses.ts"
import {
  type AuthenticationAnswer,
  type Hint,
  ThreeDSServer,
  ThreeDSServerError,
  type Verdict
} from "./ThreeDSServer.ts"

type Adapter = ThreeDSServer["Service"]

/** Returns the reference `orderid-threeds-n`; n is the number of the payment attempt of a hosted session. */
export const referenceOf = ({ attempt, orderId }: Authentication): string => `${orderId}-threeds-${attempt}`

/** The version whose rules for browser data an enrolment keeps to: that with the fewest facts that a script must report. */
const firstVersion = "2.2.0"

export const silent: Silent = { _tag: "Silent" }

/** An answer of the server, or why there is none. */
type ServerCall = Effect.Effect<Event, ThreeDSServerError | CannotOpen | StoreUnavailable>

/** No answer within the deadline, and one that cannot be read, count as `Silent`, never as a verdict. */
const orSilent = (call: ServerCall, deadlineMs: number): Effect.Effect<Event, StoreUnavailable> =>
  call.pipe(
    Effect.timeoutOrElse({
      duration: deadlineMs,
      orElse: () => Effect.fail(new ThreeDSServerError({ message: "no answer in time" }))
    }),
    Effect.catchTags({
      ThreeDSServerError: ({ answer, message }) =>
        Effect.as(Effect.logInfo("The 3-D Secure server gave no answer", message), {
          ...silent,
          ...(answer !== undefined && { unreadable: { reason: message, answer } })
        }),
      CannotOpen: (error) => Effect.as(Effect.logWarning("A card cannot be decrypted for 3-D Secure", error), silent)
    })
  )

/** Turns verdicts of the server into those that are stored. */
const verdictsOf = (vault: KeyVault["Service"]) => {
  const encryptedVerdict = (orderId: string, { authenticationValue, eci, transStatus }: Verdict): EncryptedVerdict => ({
    transStatus,
    eci: eci ?? null,
    encryptedAuthenticationValue:
      authenticationValue === undefined
        ? null
        : Buffer.from(vault.encrypt(authenticationValue, orderId)).toString("base64url")
  })

  /** Returns the event of the issuer's answer to the authentication request. */
  const answered = (orderId: string, answer: AuthenticationAnswer) =>
    answer._tag === "Finished"
      ? ({ _tag: "Finished", verdict: encryptedVerdict(orderId, answer.verdict) } as const)
      : ({ ...answer, _tag: "Challenged" } as const)

  /**
   * Returns the verdict that the issuer reported. For version 1 it is that of the PaRes, which was verified when it
   * arrived.
   */
  const report = Effect.fnUntraced(function* (adapter: Adapter, { authentication }: AuthenticationContext) {
    const { eci, orderId, encryptedAuthenticationValue, serverTransId, session, transStatus } = authentication
    if (transStatus !== null) {
      return {
        _tag: "Reported",
        verdict: { transStatus, eci, encryptedAuthenticationValue }
      } satisfies Event
    }
    const verdict = yield* adapter.result(serverTransId ?? "", session ?? undefined)
    return verdict === undefined
      ? silent
      : ({ _tag: "Reported", verdict: encryptedVerdict(orderId, verdict) } satisfies Event)
  })

  return { answered, report }
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const directory = yield* Directory
  const settings = yield* Settings
  const publicAddress = yield* PublicAddress
  const { answered, report } = verdictsOf(vault)
  const server = Option.getOrUndefined(yield* Effect.serviceOption(ThreeDSServer))

  /** Returns the behaviour that the security code selects at a simulated issuer; undefined in production. */
  const hintOf = Effect.fnUntraced(
    function* ({ capabilities: { hints } }: Adapter, orderId: string) {
      const cvv = settings.production || hints === undefined ? undefined : yield* store.load(Cvv, [orderId])
      if (hints === undefined || cvv === undefined) return undefined
      return hints.get(Redacted.value(yield* vault.decryptShortLived(cvv.encryptedCvv, orderId)))
    },
    Effect.catchTag("CannotOpen", () => Effect.undefined)
  )

  const enrol = Effect.fnUntraced(function* (adapter: Adapter, context: AuthenticationContext) {
    const { authentication, order } = context
    const card = yield* store.load(Card, [order.orderId])
    if (card === undefined) return silent
    const { orderId } = order
    const hint: Hint | undefined = yield* hintOf(adapter, order.orderId)
    const enrolment = yield* adapter.enrol({
      reference: referenceOf(authentication),
      pan: yield* vault.decrypt(card.encryptedPan, order.orderId),
      expireMonth: order.expireMonth,
      expireYear: order.expireYear,
      amountMinor: order.amountMinor,
      currency: order.currency,
      merchantName: directory.merchant(order.merchantId)?.name ?? order.merchantId,
      browser: BrowserFacts.inMessage(BrowserFacts.fromRow(authentication.browser), firstVersion),
      notificationUrl: notificationUrlOf(context),
      ...(hint === undefined ? {} : { hint })
    })
    if (enrolment._tag !== "Finished" && enrolment._tag !== "Challenge")
      return { _tag: "Enrolled", enrolment } satisfies Event
    const transaction = { protocol: enrolment.version, serverTransId: enrolment.serverTransId }
    return { ...answered(orderId, enrolment), transaction } satisfies Event
  })

  /** Returns the address to which the issuer sends the browser after a challenge. */
  const notificationUrlOf = ({ authentication: { mode, pageToken }, order: { redirectUrl } }: AuthenticationContext) =>
    mode === "gateway" ? ThreeDSAddresses.make(publicAddress.baseUrl(), pageToken).challenge : (redirectUrl ?? "")

  const askIssuer = Effect.fnUntraced(function* (adapter: Adapter, context: AuthenticationContext) {
    const { authentication, order } = context
    const { browser, completionIndicator, protocol, serverTransId, session } = authentication
    const answer = yield* adapter.authenticate({
      reference: referenceOf(authentication),
      serverTransId: serverTransId ?? "",
      session: session ?? undefined,
      completionIndicator: completionIndicator ?? "U",
      browser: BrowserFacts.inMessage(BrowserFacts.fromRow(browser), protocol ?? ""),
      notificationUrl: notificationUrlOf(context)
    })
    return answered(order.orderId, answer) satisfies Event
  })

  const ask = (adapter: Adapter, context: AuthenticationContext): ServerCall => {
    const { stage } = context.authentication
    if (stage === "enrol") return enrol(adapter, context)
    return stage === "areq" ? askIssuer(adapter, context) : report(adapter, context)
  }

  return (context: AuthenticationContext): Effect.Effect<Event, StoreUnavailable> =>
    server === undefined
      ? Effect.succeed(silent)
      : orSilent(ask(server, context), server.capabilities.deadlineMs).pipe(
          Effect.annotateLogs({ orderId: context.order.orderId })
        )
})
