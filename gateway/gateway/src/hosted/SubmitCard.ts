/** The card as the instrument of a hosted page: the customer's entry becomes the order's card, and the order moves. */

import * as Canonical from "@pay/schema/Canonical"
import { declines } from "@pay/schema/Decline"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import * as CardFacts from "../kernel/CardFacts.ts"
import * as Change from "../kernel/Change.ts"
import { Ids } from "../kernel/Ids.ts"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import { Store } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import { AuthenticationGate } from "../orders/bank/AuthenticationGate.ts"
import * as Register from "../orders/decide/Register.ts"
import type { Browser } from "../orders/record/CustomerBrowser.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import type { Order } from "../orders/record/Order.ts"
import { type BankRequest, isOfBank } from "../orders/record/OrderRequest.ts"
import { RiskCheck } from "../orders/requests/RiskCheck.ts"
import * as Destination from "../recipients/Destination.ts"
import { Payout } from "../recipients/Recipient.ts"
import * as Risk from "../risk/Risk.ts"
import { Authentication } from "../threeds/decide/Authentication.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as HostedAttempt from "./decide/HostedAttempt.ts"
import type { OpenPage } from "./decide/HostedSession.ts"
import * as HostedPage from "./HostedPage.ts"

export interface CardEntry {
  readonly pan: Redacted.Redacted<string>
  readonly cvv: Redacted.Redacted<string>
  readonly cardholder: string
  readonly expireMonth: number
  readonly expireYear: number
  /** The card that receives the money, if the page requests it. */
  readonly receiver: Redacted.Redacted<string> | undefined
}

const isOpen = ({ state }: Order): boolean => Lifecycle.next(state, "abandon") !== undefined

/** The instrument for a card that pays. */
export const instrument: HostedPage.Instrument<BankRequest> = {
  isOf: isOfBank,
  takesEntry: isOpen,
  endsInTime: isOpen,
  giveUp: (page, reason, { claim, nowMs }) => HostedAttempt.giveUp(page, reason, nowMs, claim("callback"))
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const random = yield* SecureRandom
  const directory = yield* Directory
  const screening = yield* RiskCheck
  const { plan } = yield* AuthenticationGate

  /** Returns the card that receives the money of a transfer. `undefined`: the card is not given yet. */
  const receiverOf = Effect.fnUntraced(function* (orderId: string) {
    const payout = yield* store.load(Payout, [orderId])
    return payout === undefined
      ? undefined
      : Destination.fromText(yield* Effect.orDie(vault.decrypt(payout.encryptedDestination, orderId))).number
  })

  const enter = Effect.fnUntraced(function* (
    page: OpenPage<BankRequest>,
    entry: CardEntry,
    { act, claim, giveUp, nowMs }: HostedPage.PageOperations<BankRequest>,
    browser: Browser
  ) {
    const { form, order } = page
    const { amountMinor, currency, merchantId, orderId } = order
    const endpoint = directory.endpoint(order.endpointId)
    if (endpoint === undefined || !endpoint.enabled)
      return yield* giveUp(page, { ...declines.blocked, filteredBy: "endpoint-off" })
    const { cardholder, cvv, expireMonth, expireYear, pan } = entry
    const number = Redacted.value(pan)
    const threeds = plan(endpoint) !== "off"
    const cardText = Redacted.make(
      Canonical.card(PayApi.operations.SALE, {
        credit_card_number: number,
        expire_month: String(expireMonth),
        expire_year: String(expireYear)
      }),
      { label: "card" }
    )
    const panHash = vault.cardHash(merchantId, cardText)
    const input: HostedAttempt.AttemptInput = {
      card: { ...CardFacts.of(number), cardholder, expireMonth, expireYear },
      encryptedPan: vault.encrypt(pan, orderId),
      panHash,
      encryptedCvv: vault.encryptShortLived(cvv, orderId),
      authentication: threeds ? yield* store.load(Authentication, [orderId]) : undefined,
      threeds: threeds ? { mode: "gateway", pageToken: random.token(), browser } : undefined,
      attemptId: ids.next(),
      nowMs,
      claim: claim("bank")
    }
    const isTransfer = order.kind === "transfer"
    const knownReceiver = isTransfer ? yield* receiverOf(orderId) : undefined
    const receiver = knownReceiver ?? (isTransfer ? entry.receiver : undefined)
    if (isTransfer && receiver === undefined) return
    const receiverRows =
      receiver === undefined || knownReceiver !== undefined ? [] : [Register.receiverRow(vault, receiver, order, nowMs)]
    const filtered = (filteredBy: string) => giveUp(page, { ...Risk.declineOf(filteredBy), filteredBy })
    if (screening.tooOften(pan) !== undefined) return yield* filtered("velocity:card-rate")
    const payer = {
      bin: input.card.bin,
      email: order.email,
      address: browser.ip ?? CustomerAddress.of(order.ipAddress),
      country: form.session.country ?? undefined,
      storedCard: undefined
    }
    return yield* screening.screen(
      { ...payer, orderId, merchantId, endpoint, pan, receiving: receiver, amountMinor, currency },
      ({ filteredBy, velocityEntries }) => {
        if (filteredBy !== undefined) return filtered(filteredBy)
        const decision = HostedAttempt.begin(page, input)
        return act(Change.all({ ...decision, writes: [...decision.writes, ...receiverRows] }, velocityEntries))
      }
    )
  })

  return {
    ...(yield* HostedPage.make(instrument, enter)),
    /** `asksReceiver`: the order is a transfer, and the card that receives the money is not given yet. */
    asks: Effect.fnUntraced(function* ({ kind, orderId }: Order) {
      return { asksReceiver: kind === "transfer" && (yield* receiverOf(orderId)) === undefined }
    })
  } satisfies HostedPage.Actions<{ readonly asksReceiver: boolean }, CardEntry>
})
