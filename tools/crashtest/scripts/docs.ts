/** Generates the parts of `docs/merchants/crashtest.md` between its marks, and the chart of the examples. */
import { readFileSync } from "node:fs"
import { type Kind, kinds } from "../src/judgement/Finding.ts"
import * as Faults from "../src/plan/Faults.ts"
import * as Advice from "../src/report/Advice.ts"
import * as AdviceCode from "../src/report/AdviceCode.ts"
import * as ExamplesChart from "./ExamplesChart.ts"
import * as ExamplesFile from "./ExamplesFile.ts"
import * as TemplateTables from "./TemplateTables.ts"

const path = "docs/merchants/crashtest.md"

const table = (head: string, rows: ReadonlyArray<string>): string =>
  [`| ${head} |`, `|${"---|".repeat(head.split(" | ").length)}`, ...rows].join("\n")

const faults = (): string =>
  table(
    "name | what happens",
    Faults.names.map((name) => `| \`${name}\` | ${Faults.faults[name].sentence} |`)
  )

const isKind = (name: string): name is Kind => name in kinds

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const kindPart = (kind: Kind): string => {
  const { code, general, ours } = Advice.of(kind)
  const { title } = AdviceCode.whole(code)
  const anchor = title.toLowerCase().replaceAll(" ", "-")
  return `### ${upperFirst(kinds[kind][1])}\n\n${general}\n\nWith our client: ${ours}\n[${title}](#${anchor}).`
}

const program = (name: AdviceCode.Name): string => {
  const { text, title } = AdviceCode.whole(name)
  return `### ${title}\n\n\`\`\`ts\n${text}\n\`\`\``
}

const advice = (): string =>
  [...Object.keys(kinds).filter(isKind).map(kindPart), ...AdviceCode.names.map(program)].join("\n\n")

const examples = ExamplesFile.read()

const examplesPart = (): string =>
  examples === undefined
    ? "`npm run crashtest:examples` makes this run, and writes its results here."
    : [
        `Seed ${examples.seed}.`,
        table(
          "shop | version | payments | failures | findings",
          examples.shops.map(
            (shop) =>
              `| ${shop.name} | ${shop.commit} | ${shop.payments} | ${shop.failures} | ${ExamplesFile.inWords(shop)} |`
          )
        ),
        "![Duplicate, lost or wrongly reported payments per 10,000 injected failures](../crashtest.svg)"
      ].join("\n\n")

const parts: Readonly<Record<string, () => string>> = {
  faults,
  advice,
  template: TemplateTables.write,
  examples: examplesPart
}

const endMark = "<!-- end -->"

/** Replaces what stands between the mark of a part and the next end. */
const filled = (text: string, name: string, content: string): string => {
  const from = text.indexOf("\n", text.indexOf(`<!-- ${name}: `)) + 1
  const to = text.indexOf(endMark, from)
  return `${text.slice(0, from)}\n${content}\n\n${text.slice(to)}`
}

export default async (): Promise<Record<string, string>> => {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")
  const chart = examples === undefined ? {} : { "docs/crashtest.svg": ExamplesChart.draw(examples) }
  return { ...chart, [path]: Object.entries(parts).reduce((page, [name, part]) => filled(page, name, part()), text) }
}
