/** The reports of a run: as text, JSON, JUnit and a page. */
import { describe, expect, it } from "@effect/vitest"
import { type Kind, kinds } from "../src/judgement/Finding.ts"
import * as Faults from "../src/plan/Faults.ts"
import type { FaultAt } from "../src/plan/Payment.ts"
import * as Advice from "../src/report/Advice.ts"
import * as FaultText from "../src/report/FaultText.ts"
import * as Numbers from "../src/report/Numbers.ts"
import * as Report from "../src/report/Report.ts"
import * as ReportJson from "../src/report/ReportJson.ts"
import * as ReportJunit from "../src/report/ReportJunit.ts"
import * as ReportPage from "../src/report/ReportPage.ts"
import { at, careful, careless, finding, replay } from "./SampleResult.ts"

const one = finding("chargedTwice", 318, [at("lostAnswer", "request"), at("lateCallback", "callback", 2)])

/** A finding about the shop as a whole. */
const leaked = finding("cardInLog", 0, [], {
  difference: "shop.log has <card> 444455******1111",
  requests: [],
  timeline: [],
  leak: { place: "shop.log", line: "card 444455******1111" }
})

describe("the report as text", () => {
  it("says what was tested, what was found, after which failure, and how to repeat one", () =>
    expect(Report.text(careless, replay)).toBe(
      ` 1,000 payments, 2,340 failures, 3 kinds
  37 customers charged twice  a lost answer to sale
  12 paid orders not shipped  an early callback
   4 refunds lost             500 after return was executed
 in 1 payment nothing failed, because the moment of the failure never came
 replay one: pay crashtest --seed 7 --case 318 -- php shop.php`
    ))
  it("says that nothing was found", () =>
    expect(Report.text(careful, replay)).toBe(" 1,000 payments, 2,340 failures, 3 kinds\n no finding"))
  it("says why the run ended early", () =>
    expect(Report.text({ ...careful, ended: "Ctrl-C" }, replay)).toContain("\n ended early: Ctrl-C"))
  it("aligns numbers of five digits", () => {
    const findings = Array.from({ length: 12_345 }, () => one)
    const lines = Report.text({ ...careful, findings: [...findings, finding("stuck", 1, [])] }, replay).split("\n")
    expect(lines.slice(1, 3)).toEqual([
      " 12,345 customers charged twice  a lost answer to sale, a late callback",
      "      1 order without an end     no fault at all"
    ])
  })
  it("replays the case with the fewest failures", () => {
    const pair = finding("stuck", 1, [at("lostAnswer", "request"), at("lateCallback", "callback")])
    const single = finding("stuck", 2, [at("lostAnswer", "request")])
    expect(Report.text({ ...careful, findings: [pair, single] }, replay)).toContain(
      "replay one: pay crashtest --seed 7 --case 2 "
    )
  })
  it("says of a shop that ended that it did so by itself", () => {
    const ended = finding("crashed", 0, [], { requests: [], timeline: [] })
    expect(Report.text({ ...careful, findings: [ended] }, replay)).toContain(
      "   1 crash of the shop  ended by itself\n"
    )
  })
  it("replays a case whose timeline was kept", () => {
    const findings = [finding("stuck", 1, [], { timeline: [] }), finding("stuck", 2, [])]
    expect(Report.text({ ...careful, findings }, replay)).toContain("replay one: pay crashtest --seed 7 --case 2 ")
  })
  it("shows a finding with its failures, its timeline and the advice", () => {
    const text = Report.details(one)
    expect(text).toContain(` case 318 (buy): customer charged twice
   a lost answer to sale, request 1 (sale)
   a late callback, callback 2
   The bank has 2 charges of 10.42 USD, and the customer bought once.

     0 ms  customer    presses the button
    12 ms  shop        sale, client_orderid a1, amount 10.42
 *  31 ms  crash test  the answer is lost
   12.4 s  shop        sale, client_orderid <b1> & "quoted"
     26 h  bank        approved twice

 How such shops are mended: Store the order with a \`client_orderid\` before the first request`)
    expect(text).toContain("\n With our client: One `clientOrderId` is charged once")
  })
  it("says for a card number in which file it was found", () => {
    const text = Report.text({ ...careful, findings: [leaked] }, replay)
    expect(text).toContain("   1 card number in the shop's log  in shop.log\n")
    expect(Report.details(leaked)).toContain(
      " card number in the shop's log\n   shop.log has <card> 444455******1111\n\n How"
    )
  })
})

describe("the report as JSON", () => {
  it("has the numbers, each kind, and each finding with its replay", () => {
    const json = ReportJson.json(careless, replay)
    expect(json).toMatchObject({
      outcome: "findings",
      seed: 7,
      payments: 1000,
      failures: 2340,
      failureKinds: 3,
      notMet: 1
    })
    expect(json.kinds.map(({ count, kind }) => [kind, count])).toEqual([
      ["chargedTwice", 37],
      ["notShipped", 12],
      ["refundLost", 4]
    ])
    expect(json.findings).toHaveLength(53)
    expect(json.findings[0]).toMatchObject({
      case: 318,
      faults: [{ fault: "lostAnswer", of: "request", index: 1 }],
      replay: replay(318)
    })
    expect(JSON.parse(JSON.stringify(json))).toEqual(json)
  })
  it("says that a run is clean", () => expect(ReportJson.json(careful, replay).outcome).toBe("clean"))
})

/** The elements of an XML text that have a beginning without an end, or the reverse. */
const unclosed = (xml: string): ReadonlyArray<string> => {
  const open: Array<string> = []
  for (const [, end, name = "", self] of xml.matchAll(/<(\/?)([a-z]+)(?:\s[\w-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (self === "/") continue
    if (end === "/" && open.at(-1) === name) open.pop()
    else open.push(end + name)
  }
  return open
}

describe("the report as JUnit", () => {
  const xml = ReportJunit.junit(careless, replay)
  const lines = xml.split("\n").map((line) => line.trim())
  it("has one test case for each failure, and says which failed, passed or never happened", () => {
    expect(lines).toContain('<testcase classname="crashtest.none" name="no fault"/>')
    expect(lines).toContain(
      '<testcase classname="crashtest.request" name="lostAnswer"><failure message="30 customers charged twice">customer charged twice: a lost answer to sale'
    )
    expect(lines).toContain(
      '<testcase classname="crashtest.clock" name="clockAhead"><skipped message="the moment of the fault never came"/></testcase>'
    )
    expect(xml.match(/<testcase /g)).toHaveLength(Faults.names.length + 1)
    const all = Faults.names.length
    expect(lines[1]).toBe(`<testsuites name="crashtest" tests="${all + 1}" failures="3" errors="0" time="61.200">`)
  })
  it("shows the timelines of the first findings of a test case, and counts the others", () => {
    expect(xml).toContain("31 ms  crash test  the answer is lost")
    expect(xml).toContain("and 27 more</failure>")
  })
  it("has a test case for a pair of failures with a finding", () => {
    const pairs = ReportJunit.junit({ ...careful, findings: [one] }, replay)
    expect(pairs).toContain('<testcase classname="crashtest.pairs" name="lateCallback + lostAnswer"><failure')
  })
  it("is well-formed: every element is closed, and text is escaped", () => {
    expect(unclosed(xml)).toEqual([])
    expect(xml).toContain("client_orderid &lt;b1&gt; &amp; &quot;quoted&quot;")
    expect(unclosed("<a><b></a>")).not.toEqual([])
  })
})

describe("the report as a page", () => {
  const html = ReportPage.write(careless, replay)
  it("has the summary, each kind with its count, and what failed", () => {
    expect(html).toContain("<p>1,000 payments, 2,340 failures, 3 kinds, in 61.2 s. Seed 7.")
    expect(html).toContain('<td class="number finding">37</td><td><a href="#chargedTwice">customers charged twice</a>')
    expect(html).toContain('<h2 id="refundLost">4 refunds lost</h2>')
    expect(html).toContain('<td class="number">1,200</td><td><code>lostAnswer</code><br>The gateway executes')
  })
  it("has for each finding the case, its failures, its timeline and its replay, and opens the simplest of each kind", () => {
    expect(html).toContain("<details open><summary>Case 318 (buy): a lost answer to sale</summary>")
    expect(html).toContain('<tr class="fault"><td class="number">31 ms</td><td class="who">crash test</td>')
    expect(html).toContain(`<p>Replay: <code>${replay(318)}</code></p>`)
    expect(html.match(/<details open>/g)).toHaveLength(3)
  })
  it("has the advice of each kind, with the program", () => {
    expect(html).toContain("Store the order with a <code>client_orderid</code> before the first request")
    expect(html).toContain("export const charge = async (payment: FlowInputs[&quot;cardSale&quot;])")
  })
  it("shows at most 50 findings of a kind besides the first", () => {
    const many = ReportPage.write({ ...careful, findings: Array.from({ length: 60 }, () => ({ ...one })) }, replay)
    expect(many.match(/<summary>Case /g)).toHaveLength(51)
    expect(many).toContain("<p>9 more are in the report in JSON.</p>")
  })
  it("shows a card number without case, failures and timeline", () => {
    const page = ReportPage.write({ ...careful, findings: [leaked] }, replay)
    expect(page).toContain(
      "<details open><summary>in shop.log</summary>\n<p>shop.log has &lt;card&gt; 444455******1111</p>\n\n<p>Replay"
    )
  })
  it("needs no script, loads nothing, and escapes what the shop said", () => {
    expect(html).not.toMatch(/<script|<link|src=|url\(|https?:/)
    expect(html).toContain("client_orderid &lt;b1&gt; &amp; &quot;quoted&quot;")
    expect(html).not.toContain("<b1>")
  })
})

const causes: ReadonlyArray<readonly [fault: FaultAt, requests: ReadonlyArray<string>, brief: string, when: string]> = [
  [at("lostAnswer", "request", 2), ["sale", "status"], "a lost answer to status", "request 2 (status)"],
  [at("killedBefore", "request", 3), ["sale"], "the shop killed before request 3 arrived", "request 3"],
  [at("earlyCallback", "callback", 2), ["sale"], "an early callback", "callback 2"],
  [at("returnsTwice", "whole"), [], "a customer who returned twice", "during the whole payment"],
  [at("clockAhead", "whole"), ["sale"], "a clock that is ahead", "during the whole payment"]
]

describe("the words for a failure", () => {
  it.each(causes)("are short, and say when it happened: %j", (fault, requests, brief, when) =>
    expect([FaultText.brief(fault, requests), FaultText.when(fault.moment, requests)]).toEqual([brief, when])
  )
  it.each(Faults.names)("exist for %s", (name) => expect(Faults.faults[name].brief).toMatch(/^[^.]{8,45}$/))
})

describe("numbers", () => {
  it.each([
    [0, "0 ms"],
    [9999, "9,999 ms"],
    [10_000, "10.0 s"],
    [119_999, "120.0 s"],
    [120_000, "2 min"],
    [7_200_000, "2 h"],
    [172_800_000, "48 h"]
  ])("of milliseconds have the unit in which they are short: %i", (ms, text) => expect(Numbers.duration(ms)).toBe(text))
})

const isKind = (name: string): name is Kind => name in kinds

describe("the advice", () => {
  it.each(Object.keys(kinds).filter(isKind))("says for %s what a shop does, in general and with our client", (kind) => {
    const { general, ours } = Advice.of(kind)
    expect(general).toMatch(/^[A-Z].*\.$/)
    expect(ours).toMatch(/^[A-Z`].*\.$/)
  })
  it.each([
    ["chargedTwice", "buysTwice", "Two presses of one button are one order"],
    ["chargedTwice", "killedWaiting", "has to be on the disk before the request leaves"],
    ["chargedNotTold", "approvedLate", "came hours after the payment"],
    ["notShipped", "earlyCallback", "before the shop had stored the order"],
    ["toldNotCharged", "disorderedCallback", "Callbacks come in any order"]
  ] as const)("begins for %s with what %s has in particular", (kind, fault, says) => {
    const own = { number: 1, action: "buy", faults: [at(fault, "request")], killedAt: 0 } as const
    const { general } = Advice.about({ kind, case: own })
    expect(general.slice(0, general.indexOf(Advice.of(kind).general))).toContain(says)
  })
})
