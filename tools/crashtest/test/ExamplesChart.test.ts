/** The chart of the run over the example shops, and its table. */
import { describe, expect, it } from "@effect/vitest"
import * as ExamplesChart from "../scripts/ExamplesChart.ts"
import * as ExamplesFile from "../scripts/ExamplesFile.ts"

const shop = (name: string, findings: ExamplesFile.Shop["findings"], failures = 20_000): ExamplesFile.Shop => ({
  name,
  commit: "4436c803",
  payments: 10_000,
  failures,
  findings
})

const careless = shop("careless <PHP>", { chargedTwice: 400, refundLost: 20, cardInLog: 900, crashed: 7 })
const slight = shop("by hand", { notShipped: 1 })
const careful = shop("on flows, durable", {})

describe("the number of a shop", () => {
  it.each([
    ["has all wrong payments in it, and neither card numbers nor crashes", careless, 210],
    ["may be less than one", slight, 0.5],
    ["is zero without findings", careful, 0],
    ["is zero without failures", shop("untested", {}, 0), 0]
  ])("%s", (_, each, value) => expect(ExamplesFile.perTenThousand(each)).toBe(value))
  it("has words for its findings", () => {
    expect(ExamplesFile.inWords(slight)).toBe("1 paid order not shipped")
    expect(ExamplesFile.inWords(careful)).toBe("none")
  })
})

describe("the chart", () => {
  const svg = ExamplesChart.draw({ seed: 7, shops: [careless, slight, careful] })
  const bars = [...svg.matchAll(/<rect x="300" y="\d+" width="([\d.]+)" height="28" rx="2" fill="(#\w+)"\/>/g)]
  it("has a bar for each shop, the longest for the most, and a green line for none", () =>
    expect(bars.map(([, width, fill]) => [Number(width), fill])).toEqual([
      [530, "#b45309"],
      [2, "#b45309"],
      [2, "#0f766e"]
    ]))
  it("says the numbers, also to those who do not see it", () => {
    expect(svg).toContain(">210</text>")
    expect(svg).toContain(
      'aria-label="Duplicate, lost or wrongly reported payments per 10,000 injected failures. careless &lt;PHP&gt;: 210; by hand: 0.5; on flows, durable: 0"'
    )
  })
  it("has an empty bar for each shop if none has a finding", () =>
    expect(ExamplesChart.draw({ seed: 7, shops: [careful] })).toContain('width="2.0"'))
})
