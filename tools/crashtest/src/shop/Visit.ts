/**
 * One visit of a customer or a clerk: the cookies, and the form of the shop that is open in the browser. Pressing its button again sends
 * the same form again, as a second click or going back does.
 */
import { Effect } from "effect"
import * as Substitution from "../template/Substitution.ts"
import { Cookies } from "./Cookies.ts"
import * as HtmlPage from "./HtmlPage.ts"
import * as Sending from "./Sending.ts"
import * as ShopRequests from "./ShopRequests.ts"

/** A request without its longest time. */
export type Step = Omit<ShopRequests.Request, "timeoutMs">

/** A request, and what is typed into the form of the page that it opens. */
export interface Opening extends Sending.Sending {
  readonly fill?: Readonly<Record<string, string>>
}

export interface Options {
  readonly shop: URL
  readonly values: Substitution.Values
  readonly answerMs: number
  /** Gets each page that the visitor sees. */
  readonly sees: (page: ShopRequests.Answer) => void
}

export interface Visit {
  /** Sends a request with the cookies, and takes those of the answer. */
  readonly send: (step: Step) => Effect.Effect<ShopRequests.Answer, ShopRequests.NoAnswer>
  /** What the button sends. The first time, the page with the form is opened. */
  readonly button: Effect.Effect<Step, ShopRequests.NoAnswer>
}

const formType = "application/x-www-form-urlencoded"

/** Sends a form as a browser does: in the body, or in the query of its address. */
export const submit = (form: HtmlPage.Form, typed: Readonly<Record<string, string>>, at: string): Step => {
  const url = new URL(form.action ?? at, at)
  const fields = new Map([...form.fields.map(([name, value]) => [name, value] as const), ...Object.entries(typed)])
  const body = new URLSearchParams([...fields]).toString()
  if (form.isPost) return { url: url.href, method: "POST", headers: { "content-type": formType }, body }
  url.search = body
  return { url: url.href, method: "GET" }
}

export const make = (opening: Opening, { answerMs, sees, shop, values }: Options): Visit => {
  const cookies = new Cookies()
  const first = Sending.requestOf(opening, shop, values)
  const { fill } = opening
  let filledIn: Step | undefined

  const send = (step: Step) =>
    Effect.tap(
      ShopRequests.send({ ...step, headers: { ...step.headers, ...cookies.header }, timeoutMs: answerMs }),
      (page) =>
        Effect.sync(() => {
          cookies.take(page)
          sees(page)
        })
    )

  /** The form that has every field in which something is typed. */
  const filled = Effect.fnUntraced(function* (typed: Readonly<Record<string, string>>) {
    const page = yield* send(first)
    const names = Object.keys(typed)
    const form = HtmlPage.read(page.text).forms.find(({ names: all }) => names.every((name) => all.has(name)))
    if (form !== undefined) {
      const { headers, ...step } = submit(form, typed, page.url)
      return { ...step, headers: { ...first.headers, ...headers } }
    }
    const reason = `shows no form with ${names.join(", ")} (${page.status})`
    return yield* new ShopRequests.NoAnswer({ code: "NOFORM", reason })
  })

  const button = Effect.gen(function* () {
    if (fill === undefined) return first
    const typed = Object.entries(fill).map(([name, text]) => [name, Substitution.inText(text, values)] as const)
    filledIn ??= yield* filled(Object.fromEntries(typed))
    return filledIn
  })

  return { send, button }
}
