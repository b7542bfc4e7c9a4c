/**
 * `npm run crashtest:examples`: crash-tests shops that are written in different ways with the same seed, and writes what was found to
 * `docs/crashtest-examples.json`. `npm run docs` draws the chart from it. `PAY_EXTERNAL_CLIENTS` names a folder with clones of public
 * clients, as for `npm run test:external`.
 */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import * as Arguments from "../../../scripts/Arguments.ts"
import { root } from "../../../scripts/Workspace.ts"
import * as ClientRuns from "../../docs/scripts/ClientRuns.ts"
import type { Result } from "../src/judgement/Finding.ts"
import type * as Template from "../src/template/Template.ts"
import * as ExampleRun from "./ExampleRun.ts"
import * as ExampleShops from "./ExampleShops.ts"
import type * as ExamplesFile from "./ExamplesFile.ts"

const usage = "npm run crashtest:examples -- [--payments 1000] [--seed 7] [--only NAME]"
const { values } = Arguments.parse(
  { options: { payments: { type: "string" }, seed: { type: "string" }, only: { type: "string" } } },
  usage
)
const [payments, seed] = [Number(values.payments ?? 1000), Number(values.seed ?? 7)]

interface Opponent {
  /** A few words for the chart. */
  readonly name: string
  readonly shop: ExampleShops.ExampleShop
  readonly commit: string
  readonly template?: Partial<Template.Template>
}

const ours = spawnSync("git", ["rev-parse", "--short=7", "HEAD"], { cwd: root, encoding: "utf8" }).stdout.trim()

const example = (name: string): ExampleShops.ExampleShop => {
  const match = ExampleShops.careful.find((shop) => shop.name === name)
  if (match === undefined) throw new Error(`no example is called ${name}`)
  return match
}

const publicClient = "php-library-payneteasy-api"
const clients = process.env.PAY_EXTERNAL_CLIENTS ?? ""
const clone = ClientRuns.cloneOf(clients, publicClient)

const opponents: ReadonlyArray<Opponent> = [
  { name: "by hand, stable order name", shop: example("fastify"), commit: ours },
  {
    name: "the same, gateway without replay",
    shop: example("fastify"),
    commit: ours,
    template: { gateway: { replays: false } }
  },
  ...(clone === undefined
    ? []
    : [
        {
          name: "public PHP library",
          shop: ExampleShops.onPhpLibrary,
          commit: ClientRuns.labelOf(clients, publicClient),
          template: { env: { PHP_LIBRARY: join(clone, "source") } }
        }
      ]),
  { name: "@pay/client", shop: example("express"), commit: ours },
  { name: "@pay/client/durable", shop: example("hono"), commit: ours },
  { name: "sample shop on @pay/flows", shop: example("shop"), commit: ours }
]

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

const rowOf = ({ commit, name }: Opponent, { findings, met, payments: made }: Result): ExamplesFile.Shop => ({
  name,
  commit,
  payments: made,
  failures: total(met),
  findings: Object.fromEntries([...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]))
})

const crashTest = ({ name, shop, template = {} }: Opponent) =>
  ExampleRun.run(shop, {
    payments,
    seed,
    template,
    onProgress: ({ done, findings }) =>
      Effect.sync(() => {
        if (done > 0 && done % 500 === 0) console.log(`${name}: ${done} payments, ${findings} findings`)
      })
  })

if (clone === undefined)
  console.log(`left out: public PHP library: PAY_EXTERNAL_CLIENTS has no clone of ${publicClient}`)
const rows: Array<ExamplesFile.Shop> = []
for (const opponent of opponents.filter(({ name }) => values.only === undefined || name === values.only)) {
  if (!ExampleShops.isHere(opponent.shop)) {
    console.log(`left out: ${opponent.name}: ${opponent.shop.command[0]} or a part of it is not installed`)
    continue
  }
  console.log(`begins ${opponent.name}`)
  const result = await Effect.runPromise(crashTest(opponent))
  const row = rowOf(opponent, result)
  rows.push(row)
  console.log(`${JSON.stringify(row)}${result.ended === undefined ? "" : ` ended early: ${result.ended}`}`)
}
if (values.only === undefined) {
  const file: ExamplesFile.ExamplesFile = { seed, shops: rows }
  writeFileSync(join(root, "docs/crashtest-examples.json"), `${JSON.stringify(file, undefined, 2)}\n`)
}
