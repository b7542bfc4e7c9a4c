/** The report of a crash test in a browser: it needs no script and no network, fits a telephone, and can be read in the dark. */
import { assert, it } from "@effect/vitest"
import * as ReportPage from "@pay/crashtest/ReportPage"
import { Effect } from "effect"
import { careful, careless, replay } from "../../tools/crashtest/test/SampleResult.ts"
import { at, customer } from "./Browser.ts"
import * as Views from "./Views.ts"

/** Lines of a log have no blanks where they could be broken. */
const line = JSON.stringify({ credit_card_number: "444455******1111", order: "x".repeat(100) }).repeat(3)
const unbroken = {
  ...careless,
  command: ["node", `--${line}`],
  findings: careless.findings.map((finding) => ({ ...finding, difference: line }))
}

const narrow = { width: 360, colorScheme: "dark" } as const

it.effect("the report of a crash test fits a telephone, is accessible in light and dark, and needs no script", () =>
  Effect.gen(function* () {
    const plain = yield* customer({ javaScriptEnabled: false, offline: true })
    for (const result of [careless, careful, unbroken]) {
      yield* at(plain, () => plain.setContent(ReportPage.write(result, replay)))
      yield* at(plain, () =>
        plain.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
      )
      yield* at(plain, () => Views.show(plain, narrow))
      assert.deepStrictEqual(yield* at(plain, Views.excess), [])
    }
    yield* at(plain, () => plain.setContent(ReportPage.write(careless, replay)))
    yield* at(plain, () => plain.getByText("36 more").click())
    yield* at(plain, () => plain.getByText("Case 319 (buy): a lost answer to sale").click())
    yield* at(plain, () => plain.getByText(replay(319)).waitFor({ state: "visible" }))

    const page = yield* customer()
    yield* at(page, () => page.setContent(ReportPage.write(careless, replay)))
    const flaws = () => Views.flawsIn(page, "crash-report", [{ width: 1280, colorScheme: "light" }, narrow])
    assert.deepStrictEqual(yield* at(page, flaws), [])
  })
)
