/** What people do on the page of what waits: ask the bank, propose and confirm outcomes in batches, confirm changes, decide payouts, settle tasks. */
import { Effect } from "effect"
import { html } from "../../kernel/Html.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import type { PageAnswer } from "../Pages.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"
import type { Called, Refused } from "./ContractCalls.ts"
import * as Frame from "./Frame.ts"
import * as OrderActions from "./OrderActions.ts"
import * as RefusalTexts from "./RefusalTexts.ts"
import * as Show from "./Show.ts"
import * as UnknownPage from "./UnknownPage.ts"
import * as Visit from "./Visit.ts"

const outcomes = ["approved", "declined", "error"] as const
type Outcome = (typeof outcomes)[number]
const outcomeOf = (text: string): Outcome | undefined => outcomes.find((outcome) => outcome === text)

/** The rows that were chosen, or all that the page showed: what came after it is never part of a batch. */
const chosen = ({ request }: Visit.Visit): ReadonlyArray<string> => {
  const fields = new URLSearchParams(request.body)
  const values = fields.has("all") ? (fields.get("shown") ?? "").split(",") : fields.getAll("order")
  return [...new Set(values)].filter((value) => value !== "").slice(0, UnknownPage.mostOutcomes)
}

const done = (visit: Visit.Visit): PageAnswer => Frame.redirect(`${Visit.at(visit, "unknown")}?done=1`)

type Outcomes = ReadonlyArray<readonly [string, Refused]>

/** Says for which orders of a batch nothing was done, and why. */
const ended = (visit: Visit.Visit, count: number, refused: Outcomes): PageAnswer => {
  const { text } = visit
  if (count === 0) return Frame.notice(visit, 400, text("refusedTitle"), text("noneChosen"), "unknown")
  if (refused.length === 0) return done(visit)
  return Frame.render(visit, {
    status: refused[0]?.[1].status ?? 409,
    title: text("refusedTitle"),
    main: html`<div class="head"><h1>${text("refusedTitle")}</h1><p>${refused.length}/${count}</p></div><section class="panel">${Show.table(
      text,
      {
        caption: text("refusedTitle"),
        rows: refused,
        empty: "",
        columns: [
          { key: "order", cell: ([order]) => html`<code>${order}</code>` },
          { key: "result", cell: ([, { message }]) => message }
        ]
      }
    )}</section><p><a class="button" href="${Visit.at(visit, "unknown")}">${text("back")}</a></p>`
  })
}

type Resolving = "proposeResolution" | "confirmResolution" | "withdrawResolution"

/** Does one thing with each of the chosen orders. `call` gets the words of its value, whose first one is the order. */
const withEach = Effect.fnUntraced(function* (
  visit: Visit.Visit,
  values: ReadonlyArray<string>,
  call: (words: ReadonlyArray<string>) => Effect.Effect<Called<Resolving>>
) {
  const refused: Array<readonly [string, Refused]> = []
  for (const value of values) {
    const words = value.split(" ", 4)
    const called = yield* call(words)
    if (called._tag === "Refused") refused.push([words[0] ?? "", called])
  }
  return ended(visit, values.length, refused)
})

/** Proposes one outcome for the chosen orders. */
export const propose = (visit: Visit.Visit) => {
  const read = BrowserInput.fields(visit.request)
  const as = outcomeOf(read("as"))
  const [evidence, approvalCode] = [read("evidence"), read("approvalCode").trim()]
  return withEach(visit, as === undefined ? [] : chosen(visit), ([order = "", request]) =>
    visit.call("proposeResolution", {
      order,
      as: as ?? "error",
      evidence,
      ...(request !== undefined && { request }),
      ...(approvalCode !== "" && { approvalCode })
    })
  )
}

/** Confirms the chosen proposals, each by its digest: a proposal that was changed meanwhile is refused. */
export const confirm = (visit: Visit.Visit) =>
  withEach(visit, chosen(visit), ([order = "", outcome = "", digest = "", request]) => {
    const named = { order, digest, ...(request !== undefined && { request }) }
    return visit.call("confirmResolution", { ...named, as: outcomeOf(outcome) ?? "error" })
  })

/** Withdraws the chosen proposals, each by its digest. */
export const withdraw = (visit: Visit.Visit) =>
  withEach(visit, chosen(visit), ([order = "", , digest = "", request]) =>
    visit.call("withdrawResolution", { order, digest, ...(request !== undefined && { request }) })
  )

/** Pages of unknown outcomes about which one button has the bank asked: of 1000 each. */
const mostPages = 20

/** Has bank and rail asked about every unknown outcome. */
export const inquire = Effect.fnUntraced(function* (visit: Visit.Visit) {
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const called = yield* visit.call("inquireUnknown", { unknown: true, ...(after !== undefined && { after }) })
    if (called._tag === "Refused") return OrderActions.refusal(visit, called, "unknown")
    const { next } = called.answer
    if (next === undefined) break
    after = KeysetPage.format(next)
  }
  return done(visit)
})

/** Sends the decision that an approver has signed. */
export const decidePayout = Effect.fnUntraced(function* (visit: Visit.Visit, order: string) {
  const read = BrowserInput.fields(visit.request)
  const decision = read("decision") === "reject" ? "reject" : "approve"
  const [approver, signature] = [read("approver").trim(), read("signature").replaceAll(/\s/g, "")]
  const signed = { order, decision, approver, signature, amount: read("amount"), recipient: read("recipient") } as const
  const called = yield* visit.call("decideApproval", signed)
  return called._tag === "Refused" ? OrderActions.refusal(visit, called, "unknown") : done(visit)
})

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Confirms a change. The operation itself may then refuse it. */
export const confirmChange = Effect.fnUntraced(function* (visit: Visit.Visit, proposal: string) {
  const called = yield* visit.call("confirmProposal", { proposal })
  if (called._tag === "Refused") return OrderActions.refusal(visit, called, "unknown")
  const { answer, status } = called.answer
  const message = RefusalTexts.inLanguage(visit.language, String(answer.error))
  return isSuccess(status) ? done(visit) : Frame.notice(visit, 409, visit.text("refusedTitle"), message, "unknown")
})

export const withdrawChange = Effect.fnUntraced(function* (visit: Visit.Visit, proposal: string) {
  const called = yield* visit.call("withdrawProposal", { proposal })
  return called._tag === "Refused" ? OrderActions.refusal(visit, called, "unknown") : done(visit)
})

/** Settles a task: `reverse` asks the bank to give the money back, `close` records another way. */
export const settle = (name: "reverseTask" | "closeTask") =>
  Effect.fnUntraced(function* (visit: Visit.Visit, task: string) {
    const note = BrowserInput.fields(visit.request)("note")
    const called = yield* visit.call(name, { task, note })
    return called._tag === "Refused" ? OrderActions.refusal(visit, called, "unknown") : done(visit)
  })

/** Proposes what became of a request of which bank or rail cannot say it. A second person confirms that. */
export const answer = Effect.fnUntraced(function* (visit: Visit.Visit, task: string) {
  const read = BrowserInput.fields(visit.request)
  const approvalCode = read("approvalCode").trim()
  const as = read("as") === "approved" ? "approved" : "declined"
  const stated = { task, as, note: read("note"), ...(approvalCode !== "" && { approvalCode }) } as const
  const called = yield* visit.call("answerTask", stated)
  return called._tag === "Refused" ? OrderActions.refusal(visit, called, "unknown") : done(visit)
})
