import { assert, describe, it } from "@effect/vitest"
import * as Chart from "../../src/http/console/Chart.ts"
import * as Timeline from "../../src/http/console/Timeline.ts"
import * as CallHistory from "../../src/http/operator/CallHistory.ts"
import * as Findings from "../../src/operators/Findings.ts"

const nowMs = 1_000_000_000
const quiet: Findings.Figures = { nowMs, notReady: undefined, overdue: [], counterparties: [], merchants: [] }

const minutes = (answered: number, failed: number) => [{ answered, failed }]
const acquirer = { name: "acquirer", host: "", oldestSeconds: 0 }
const host = { name: "callbacks", host: "shop.example", oldestSeconds: 0 }
const merchant = { merchant: "my-shop", requests: 0, refused: 0, broken: 0 }

describe("what is wrong now", () => {
  it.each([
    ["nothing", {}, []],
    ["a gateway that takes no orders", { notReady: "space" }, ["gateway space not-ready "]],
    [
      "a request to the bank that is overdue by a minute",
      { overdue: [{ kind: "bank", count: 3, oldest: nowMs - 61_000 }] },
      ["gateway bank overdue 3, 61 s"]
    ],
    [
      "a callback that is overdue by a minute",
      { overdue: [{ kind: "callback", count: 3, oldest: nowMs - 61_000 }] },
      []
    ],
    [
      "a bank of whose answers a fifth is lost",
      { counterparties: [{ ...acquirer, minutes: minutes(12, 3) }] },
      ["bank acquirer failing 3/15 in 10 min"]
    ],
    ["a bank that lost two answers", { counterparties: [{ ...acquirer, minutes: minutes(0, 2) }] }, []],
    ["a bank that lost few of many", { counterparties: [{ ...acquirer, minutes: minutes(17, 3) }] }, []],
    [
      "a bank that failed before the last ten minutes",
      {
        counterparties: [
          {
            ...acquirer,
            minutes: [...minutes(0, 9), ...Array.from({ length: 10 }, () => ({ answered: 1, failed: 0 }))]
          }
        ]
      },
      []
    ],
    [
      "a bank that is silent",
      { counterparties: [{ ...acquirer, oldestSeconds: 31, minutes: [] }] },
      ["bank acquirer silent 31 s"]
    ],
    [
      "a shop whose server is down",
      { counterparties: [{ ...host, minutes: minutes(0, 3) }] },
      ["merchant shop.example failing 3/3 in 10 min"]
    ],
    [
      "a shop that sends wrong requests",
      { merchants: [{ ...merchant, requests: 10, refused: 5 }] },
      ["merchant my-shop refused 5/10 in 60 min"]
    ],
    ["a shop that sent few wrong requests", { merchants: [{ ...merchant, requests: 9, refused: 9 }] }, []],
    [
      "answers with 5xx",
      { merchants: [{ ...merchant, requests: 10, broken: 1 }] },
      ["gateway 5xx broken 1/10 in 60 min"]
    ]
  ] as ReadonlyArray<readonly [string, Partial<Findings.Figures>, ReadonlyArray<string>]>)(
    "%s",
    (_, figures, findings) => {
      assert.deepStrictEqual(
        Findings.of({ ...quiet, ...figures }).map(
          ({ detail, problem, subject, who }) => `${who} ${subject} ${problem} ${detail}`
        ),
        findings
      )
    }
  )
})

const latency = (...buckets: ReadonlyArray<readonly [number, number]>): ReadonlyArray<CallHistory.Count> =>
  buckets.map(([bound, value]) => ({ of: "latency", name: "acquirer", host: "", detail: String(bound), value }))

describe("the time that a share of the requests took", () => {
  it.each([
    ["no request", [], 0.95, undefined],
    [
      "all within a bucket",
      [
        [0.1, 4],
        [0.5, 4],
        [Number.POSITIVE_INFINITY, 4]
      ],
      0.5,
      0.1
    ],
    [
      "one of four slow",
      [
        [0.1, 3],
        [0.5, 4],
        [Number.POSITIVE_INFINITY, 4]
      ],
      0.95,
      0.5
    ],
    [
      "beyond the last bucket",
      [
        [0.1, 0],
        [60, 1],
        [Number.POSITIVE_INFINITY, 4]
      ],
      0.95,
      undefined
    ]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<readonly [number, number]>, number, number | undefined]>)(
    "%s",
    (_, buckets, share, bound) => assert.strictEqual(CallHistory.percentile(latency(...buckets), share), bound)
  )
})

describe("the counts between two samples", () => {
  const count = (value: number): CallHistory.Count => ({
    of: "call",
    name: "acquirer",
    host: "",
    detail: "approved",
    value
  })
  it.each([
    ["grow", [count(2)], [count(5)], [3]],
    ["begin", [], [count(5)], [5]],
    ["stay", [count(5)], [count(5)], []]
  ] as ReadonlyArray<
    readonly [string, ReadonlyArray<CallHistory.Count>, ReadonlyArray<CallHistory.Count>, ReadonlyArray<number>]
  >)("%s", (_, before, after, values) =>
    assert.deepStrictEqual(
      CallHistory.between({ atMs: 0, counts: before }, { atMs: 1, counts: after }).map(({ value }) => value),
      values
    )
  )
})

describe("an answer of the bank", () => {
  it.each([
    ['{"_tag":"Lost","reason":"connection reset"}', "Lost: connection reset"],
    ['{"_tag":"Approved","approvalCode":"1"}', '{"_tag":"Approved","approvalCode":"1"}'],
    ["<html>", "<html>"],
    ["", ""]
  ])("%s is read as %s", (answer, text) => assert.strictEqual(Timeline.answerText(answer), text))
})

describe("a chart", () => {
  it("has a bar for each of the last 60 minutes, scaled to the largest", () => {
    const all = Array.from({ length: 61 }, (_, at) => ({ at: at * 60_000, answered: at, failed: 0 }))
    const { text } = Chart.bars("a", all)
    assert.strictEqual(text.match(/class="answered"/g)?.length, 60)
    assert.include(text, 'y="0" width="3" height="40"')
    assert.deepStrictEqual(Chart.rows(all)[0], ["01:00", 60, 0])
  })
})
