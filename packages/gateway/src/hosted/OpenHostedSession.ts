/** What every hosted page begins with: an unguessable address, known again however often it is asked for. */

import type { AsyncCheckoutFormRedirect } from "@pay/schema/AsyncResponse"
import type { Operation } from "@pay/schema/Operation"
import { Effect } from "effect"
import { type Answer, ok } from "../kernel/Answer.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { PublicAddress } from "../kernel/PublicAddress.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { type Call, type Served, withNonce } from "../merchants/Call.ts"
import * as CardIdentity from "../orders/CardIdentity.ts"
import * as Creation from "../orders/Creation.ts"
import * as Lifecycle from "../orders/Lifecycle.ts"
import type { Order } from "../orders/Order.ts"
import type * as Register from "../orders/Register.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import { HostedSession } from "./HostedSession.ts"

export const make = Effect.fnUntraced(function* (operation: Operation) {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const vault = yield* KeyVault
  const ids = yield* Ids
  const random = yield* SecureRandom
  const settings = yield* Settings
  const publicAddress = yield* PublicAddress

  const fingerprint = (call: Call, like?: string) => CardIdentity.contentFingerprint(vault, operation, call, like)

  const redirect = (order: Order, token: string, serialNumber: string): Answer => {
    const body: AsyncCheckoutFormRedirect = {
      type: "async-form-response",
      "serial-number": serialNumber,
      "merchant-order-id": order.clientOrderId,
      "paynet-order-id": order.orderId,
      "end-point-id": order.endpointId,
      status: Lifecycle.states[order.state].wire,
      "redirect-url": `${publicAddress.baseUrl()}/pay/${token}`
    }
    return ok(body)
  }

  /** Answers a repeated request with the address of the same page, which shows the order's current status. */
  const replay = Effect.fnUntraced(function* (call: Call) {
    const order = yield* Creation.existing(store, call, fingerprint)
    if (order === undefined) return undefined
    const session = yield* store.load(HostedSession, [order.orderId], "order")
    if (session === undefined) return yield* Effect.die(new Error(`order ${order.orderId} has no hosted session`))
    return redirect(order, session.token, SerialNumber.again(order.requestId, ids.salt()))
  })

  const session = (
    orderId: string,
    nowMs: number,
    about: Pick<HostedSession, "kind" | "country" | "purpose">
  ): HostedSession => ({
    token: random.token(),
    version: 1,
    orderId,
    ...about,
    attempts: 0,
    attemptsAllowed: settings.sessionAttempts,
    attemptId: null,
    paying: 0,
    expiresAtMs: nowMs + settings.sessionMs,
    endedAtMs: null
  })

  /** Makes the order and its page true together, and answers the page's address. */
  const open = (call: Call, registered: Register.Registered, token: string): Served =>
    Effect.gen(function* () {
      const { decision, order, started, whereBalanceIsLow } = registered
      const lost = yield* Transact.lostOf(store, withNonce(decision, call))
      if (lost === undefined) {
        scheduler.start(started, decision.writes)
        return redirect(order, token, SerialNumber.first(order.requestId))
      }
      return lost._tag === "BalanceAtLeast" && whereBalanceIsLow !== undefined
        ? yield* open(call, whereBalanceIsLow(), token)
        : yield* Creation.loser(store, call, lost, replay)
    })

  return { fingerprint, replay, session, open }
})

/** The rows of a page that is open: it ends by itself. */
export const rows = (merchantId: string, session: HostedSession, nowMs: number): ReadonlyArray<Decision.Write> => [
  Decision.append(HostedSession, session),
  Decision.append(
    Job,
    Jobs.make({ kind: "session", subject: session.orderId, merchantId, nowMs, dueAtMs: session.expiresAtMs })
  )
]
