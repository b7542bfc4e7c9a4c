/** The steps of a customer in real Chromium, as a template writes them. */
import * as Loopback from "@pay/schema/Loopback"
import { Clock, Effect } from "effect"
import type * as Matching from "../template/Matching.ts"
import * as Substitution from "../template/Substitution.ts"
import type { Step } from "../template/TemplateSchema.ts"
import { BrowserFailed, type Chromium } from "./Chromium.ts"

export interface Options {
  readonly chromium: Chromium
  readonly shop: URL
  readonly steps: ReadonlyArray<Step>
  readonly values: Substitution.Values
  /** How long each step may take, in milliseconds. */
  readonly stepMs: number
  /** Whether a page is the end, so that nobody waits for another one. */
  readonly isEnd: (reply: Matching.Reply) => boolean
  readonly tell: (text: string) => Effect.Effect<void>
}

const pollMs = 50
/** How long a page may take to begin to leave after it was clicked, in milliseconds. */
const leaveMs = 150

/** Types into a field as scripts of pages expect it. Returns whether the field is there. */
const fill = `(selector, text) => {
  const field = document.querySelector(selector)
  if (!field) return false
  field.focus()
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value") ?? {}
  set ? set.call(field, text) : field.textContent = text
  for (const name of ["input", "change", "blur"]) field.dispatchEvent(new Event(name, { bubbles: true }))
  return true
}`
const click = `(selector) => {
  const element = document.querySelector(selector)
  if (!element || element.disabled) return false
  element.scrollIntoView()
  element.click()
  return true
}`
const select = `(selector, words) => {
  const list = document.querySelector(selector)
  const option = [...list?.options ?? []].find(({ text, value }) => value === words || text.trim() === words)
  if (!option) return false
  list.value = option.value
  for (const name of ["input", "change"]) list.dispatchEvent(new Event(name, { bubbles: true }))
  return true
}`
const has = `(selector) => document.querySelector(selector) !== null`
const sees = `(words) => (document.body?.innerText ?? "").includes(words)`
const isWhole = `() => document.readyState === "complete"`
const shown = `() => document.body?.innerText ?? ""`

/** What a step does in the page, and the words for a page on which it cannot be done. */
const inPage = (step: Step): readonly [script: string, values: ReadonlyArray<string>, missing: string] => {
  if (step.fill !== undefined) return [fill, [step.fill, step.with ?? ""], `has no ${step.fill} to fill`]
  if (step.click !== undefined) return [click, [step.click], `has no ${step.click} to click`]
  if (step.select !== undefined)
    return [select, [step.select, step.option ?? ""], `has no ${step.option} in ${step.select}`]
  if (step.wait !== undefined) return [has, [step.wait], `has no ${step.wait}`]
  return [sees, [step.see ?? ""], `does not say "${step.see}"`]
}

/** Reads the value that a script returned. Undefined while the page is another one. */
const returned = (result: Readonly<Record<string, unknown>>): unknown => {
  const { result: object } = result
  return typeof object === "object" && object !== null && "value" in object ? object.value : undefined
}

const textAt = (fields: Readonly<Record<string, unknown>>, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null
        ? new Map<string, unknown>(Object.entries(value)).get(name)
        : undefined,
    fields
  )

/** A page in a browser context of its own. It loads nothing from other machines. */
const openPage = Effect.fnUntraced(function* ({ call, listen }: Chromium) {
  const { browserContextId } = yield* call("Target.createBrowserContext")
  yield* Effect.addFinalizer(() => Effect.ignore(call("Target.disposeBrowserContext", { browserContextId })))
  const { targetId } = yield* call("Target.createTarget", { url: "about:blank", browserContextId })
  const { sessionId } = yield* call("Target.attachToTarget", { targetId, flatten: true })
  if (typeof sessionId !== "string") return yield* new BrowserFailed({ message: "the browser opens no page" })
  let status: number | undefined
  const decide = (fields: Readonly<Record<string, unknown>>) => {
    const { requestId } = fields
    const url = String(textAt(fields, "request", "url"))
    return Loopback.isOn(url) || /^(?:data|blob|about):/.test(url)
      ? call("Fetch.continueRequest", { requestId }, sessionId)
      : call("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" }, sessionId)
  }
  const context = yield* Effect.context()
  const stop = listen(sessionId, (method, fields) => {
    if (method === "Fetch.requestPaused") Effect.runForkWith(context)(Effect.ignore(decide(fields)))
    if (method !== "Network.responseReceived" || fields.type !== "Document" || fields.frameId !== targetId) return
    status = Number(textAt(fields, "response", "status"))
  })
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  yield* call("Network.enable", {}, sessionId)
  yield* call("Page.enable", {}, sessionId)
  yield* call("Fetch.enable", { patterns: [{ urlPattern: "*" }] }, sessionId)
  return { sessionId, status: () => status }
})

/** Takes the steps one after the other, and returns the page at the end of them, or at the one that failed. */
export const walk = Effect.fnUntraced(function* ({ chromium, isEnd, shop, stepMs, steps, tell, values }: Options) {
  const page = yield* openPage(chromium)
  const filled = (text: string | undefined) => (text === undefined ? "" : Substitution.inText(text, values))

  const evaluate = (script: string, parameters: ReadonlyArray<string> = []) =>
    chromium
      .call(
        "Runtime.evaluate",
        {
          expression: `(${script})(${parameters.map((each) => JSON.stringify(filled(each))).join(",")})`,
          returnByValue: true
        },
        page.sessionId
      )
      // The page may be on its way to the next one.
      .pipe(
        Effect.map(returned),
        Effect.catchTag("BrowserFailed", () => Effect.undefined)
      )

  const reply = Effect.gen(function* () {
    const text = yield* evaluate(shown)
    const status = page.status()
    return { text: typeof text === "string" ? text : "", ...(status === undefined ? {} : { status }) }
  })

  const until = Effect.fnUntraced(function* (script: string, parameters: ReadonlyArray<string> = []) {
    const endMs = (yield* Clock.currentTimeMillis) + stepMs
    while ((yield* evaluate(script, parameters)) !== true) {
      if ((yield* Clock.currentTimeMillis) > endMs || isEnd(yield* reply)) return false
      yield* Effect.sleep(pollMs)
    }
    return true
  })

  const open = Effect.fnUntraced(function* (path: string) {
    const url = new URL(Substitution.inText(path, values, encodeURIComponent), shop).href
    const { errorText } = yield* chromium.call("Page.navigate", { url }, page.sessionId)
    return typeof errorText === "string" ? `does not open: ${errorText}` : undefined
  })

  /** Returns why the step failed, in words that follow "the shop". */
  const take = Effect.fnUntraced(function* (step: Step) {
    if (step.open !== undefined) return yield* open(step.open)
    const [script, parameters, missing] = inPage(step)
    if (!(yield* until(script, parameters))) return missing
    if (step.click !== undefined) yield* Effect.sleep(leaveMs)
    return undefined
  })

  for (const [index, step] of steps.entries()) {
    yield* tell(`step ${index + 1}: ${filled(JSON.stringify(step))}`)
    const reason = yield* take(step)
    if (reason !== undefined) return { _tag: "None", reason, reply: yield* reply } satisfies Matching.Outcome
  }
  yield* until(isWhole)
  return { _tag: "Reply", reply: yield* reply } satisfies Matching.Outcome
}, Effect.scoped)
