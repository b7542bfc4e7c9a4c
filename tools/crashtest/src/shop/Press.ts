/** The customer presses a button of the shop, and again if he sees no result. So does a clerk. */
import { Effect } from "effect"
import type { Answer, Order } from "../plan/Payment.ts"
import * as Matching from "../template/Matching.ts"
import type * as Substitution from "../template/Substitution.ts"
import type { Matcher, Step } from "../template/TemplateSchema.ts"
import * as BrowserJourney from "./BrowserJourney.ts"
import * as CardNumbers from "./CardNumbers.ts"
import type { BrowserFailed, Chromium } from "./Chromium.ts"
import * as Customer from "./Customer.ts"
import * as Sending from "./Sending.ts"
import type { Tell } from "./Shop.ts"
import type { ShopProcess } from "./ShopProcess.ts"
import type * as ShopRequests from "./ShopRequests.ts"
import * as Visit from "./Visit.ts"

/** A button: what is sent, and how its result is seen. */
export interface Button extends Visit.Opening {
  readonly paid?: Matcher
  readonly failed?: Matcher
  readonly again?: Matcher
  readonly presses?: number
  readonly customer?: "pages" | ReadonlyArray<Step>
}

export interface Options {
  readonly shop: ShopProcess
  readonly url: URL
  readonly card: Customer.Card
  /** The card data that no timeline shows. */
  readonly cardData: CardNumbers.CardData
  readonly answerMs: number
  /** The browser for steps. It starts once. */
  readonly browser: Effect.Effect<Chromium, BrowserFailed>
  /** Gets each page that the customer of an order sees. */
  readonly sees: (order: Order, page: ShopRequests.Answer) => void
}

/** What is pressed, and the visit in which it is. */
interface Pressing {
  readonly at: Visit.Visit
  readonly button: Button
  readonly order: Order
  readonly values: Substitution.Values
  readonly tell: Tell
}

const mostPresses = 3
/** What a customer waits before he presses again, in milliseconds. */
const pauseMs = 300
/** How long he waits for a shop that is down. */
const longestDownMs = 10_000
const shownText = 160
/** Conflict: what many shops answer to a second press while they work on the first. */
const inProgress = 409

const replied = (reply: Matching.Reply): Matching.Outcome => ({ _tag: "Reply", reply })

/** What the customer understands: `again` that something is wrong, `open` nothing, `gone` that he does not look. */
type Understood = Answer | "again" | "gone"

const understood = ({ again, failed, paid }: Button, result: Matching.Outcome): Understood => {
  if (result._tag === "Closed") return "gone"
  const { reply } = result
  const says = (matcher: Matcher | undefined, otherwise: boolean) =>
    matcher === undefined || reply === undefined ? otherwise : Matching.matches(matcher, reply)
  if (says(again, false)) return "again"
  // A step in the browser, or a request, may have failed because the payment has.
  if (says(failed, false)) return "failed"
  if (result._tag === "None" || !Matching.isCalm(result.reply)) return "again"
  // A shop may say with a status of an error that the order is paid already.
  if (says(paid, false)) return "paid"
  const { status = 0 } = result.reply
  if (failed === undefined && status >= 400 && status !== inProgress) return "failed"
  return says(paid, Matching.isSuccess(result.reply)) ? "paid" : "open"
}

/** The answers of two presses at once: the better one counts for the customer. */
const better = (one: Understood, other: Understood): Understood =>
  (["paid", "open", "gone", "failed"] as const).find((each) => one === each || other === each) ?? "again"

const words = (result: Matching.Outcome): string => {
  switch (result._tag) {
    case "Closed":
      return "closes the browser"
    case "None":
      return `the shop ${result.reason}`
    case "Reply": {
      const { exit, status, text } = result.reply
      const shown = text.replaceAll(/\s+/g, " ").trim().slice(0, shownText)
      return `${status === undefined ? `exit code ${exit}` : `the shop answers ${status}`}${shown === "" ? "" : `: ${shown}`}`
    }
  }
}

export const make = ({ answerMs, browser, card, cardData, sees, shop, url }: Options) => {
  const visit = (button: Visit.Opening, values: Substitution.Values, order: Order) =>
    Visit.make(button, { shop: url, values, answerMs, sees: (page) => sees(order, page) })

  const send = Effect.fnUntraced(function* (button: Sending.Sending, values: Substitution.Values, at: Visit.Visit) {
    if (button.run === undefined)
      return yield* at.button.pipe(
        Effect.flatMap(at.send),
        Effect.match({
          onSuccess: replied,
          onFailure: ({ reason }): Matching.Outcome => ({ _tag: "None", reason })
        })
      )
    const { problem, ...ended } = yield* shop.programs.run(Sending.programOf(button, values), answerMs)
    return problem === undefined ? replied(ended) : ({ _tag: "None", reason: problem } as const)
  })

  const act = Effect.fnUntraced(function* ({ at, button, order, tell, values }: Pressing) {
    if (button.customer === "pages") {
      const first = yield* Effect.result(at.button)
      if (first._tag === "Failure") return { _tag: "None", reason: first.failure.reason } satisfies Matching.Outcome
      return yield* Customer.follow({ first: first.success, visit: at, order, shop: url, card, tell })
    }
    if (button.customer === undefined) return yield* send(button, values, at)
    const chromium = yield* browser
    const ends = [button.failed, button.again].filter((matcher) => matcher !== undefined)
    const isEnd = (reply: Matching.Reply) => ends.some((matcher) => Matching.matches(matcher, reply))
    const steps = button.customer
    return yield* BrowserJourney.walk({ chromium, shop: url, steps, values, stepMs: answerMs, isEnd, tell })
  })

  const press = Effect.fnUntraced(function* (pressing: Pressing) {
    const { button, order, tell } = pressing
    const masked: Tell = (text, fault) => tell(CardNumbers.masked(text, cardData), fault)
    const what = button.run === undefined ? (button.request ?? "the steps in the browser") : button.run.join(" ")
    yield* masked(`presses the button: ${what.replaceAll("{order}", order.name)}`)
    const result = yield* Effect.catchTag(act({ ...pressing, tell: masked }), "BrowserFailed", ({ message }) =>
      Effect.succeed({ _tag: "None", reason: `is not shown: ${message}` } as const)
    )
    yield* masked(words(result))
    return understood(button, result)
  })

  /** Presses until there is a result: after an error three times or as often as the template says, at a page that says nothing twice. */
  const untilKnown = Effect.fnUntraced(function* (
    button: Button,
    order: Order,
    values: Substitution.Values,
    tell: Tell
  ): Effect.fn.Return<Answer> {
    const at = visit(button, values, order)
    const one = press({ at, button, order, values, tell })
    const isDouble = order.case.faults.some(({ fault }) => fault === "buysTwice")
    // A double click sends one form twice.
    if (isDouble && button.run === undefined) yield* Effect.ignore(at.button)
    let isOpen = false
    if (isDouble) yield* tell("presses the button twice at once", "buysTwice")
    for (let count = 0; count < (button.presses ?? mostPresses); count += 1) {
      if (count > 0) {
        yield* Effect.sleep(pauseMs)
        yield* Effect.timeoutOption(shop.isUp.await, longestDownMs)
      }
      const answer =
        isDouble && count === 0 ? better(...(yield* Effect.all([one, one], { concurrency: 2 }))) : yield* one
      if (answer === "gone" || (answer === "open" && isOpen)) return "open"
      if (answer === "paid" || answer === "failed") return answer
      isOpen = answer === "open"
    }
    return "open"
  })

  const once = (question: Sending.Sending, values: Substitution.Values, order: Order) =>
    send(question, values, visit(question, values, order))

  return { once, untilKnown }
}
