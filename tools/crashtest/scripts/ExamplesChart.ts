/** Draws `docs/crashtest.svg`: a bar for each shop of the run over the examples. */
import { escaped } from "@pay/schema/Markup"
import * as Numbers from "../src/report/Numbers.ts"
import { type ExamplesFile, perTenThousand, type Shop } from "./ExamplesFile.ts"

const title = "Duplicate, lost or wrongly reported payments per 10,000 injected failures"
const [width, left, right, top, height, gap] = [920, 300, 830, 72, 28, 14]
const colors = { good: "#0f766e", bad: "#b45309" }
const fontSize = 14

const text = (x: number, y: number, content: string, more = ""): string =>
  `<text x="${x}" y="${y}" font-size="${fontSize}" fill="#334155"${more}>${escaped(content)}</text>`

const numberText = (value: number): string =>
  value > 0 && value < 1 ? value.toFixed(1) : Numbers.whole(Math.round(value))

const bar = (shop: Shop, index: number, largest: number): ReadonlyArray<string> => {
  const y = top + index * (height + gap)
  const value = perTenThousand(shop)
  const length = largest === 0 ? 0 : ((right - left) * value) / largest
  const middle = y + height / 2 + 5
  const shown = Math.max(length, 2)
  return [
    text(left - 12, middle, shop.name, ' text-anchor="end"'),
    `<rect x="${left}" y="${y}" width="${shown.toFixed(1)}" height="${height}" rx="2" fill="${value === 0 ? colors.good : colors.bad}"/>`,
    text(Math.round(left + shown + 8), middle, numberText(value), ' font-weight="600"')
  ]
}

/** Returns the chart. A bar that stands for nothing is a thin line with the number 0. */
export const draw = ({ shops }: ExamplesFile): string => {
  const largest = Math.max(0, ...shops.map(perTenThousand))
  const bottom = top + shops.length * (height + gap)
  const values = shops.map((shop) => `${shop.name}: ${numberText(perTenThousand(shop))}`).join("; ")
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 12}" font-family="ui-sans-serif,system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif" role="img" aria-label="${escaped(`${title}. ${values}`)}">`,
    `<rect width="${width}" height="${bottom + 12}" rx="14" fill="#f8fafc"/>`,
    `<text x="30" y="40" font-size="17" font-weight="600" fill="#0f172a">${title}</text>`,
    ...shops.flatMap((shop, index) => bar(shop, index, largest)),
    "</svg>"
  ].join("\n")}\n`
}
