import { Effect } from "effect"
import * as ExampleRun from "/tmp/w/tryb/tools/crashtest/scripts/ExampleRun.ts"
import { summary } from "/tmp/w/tryb/tests/checkouts/Summary.ts"
const [name, payments, kinds, template = "{}", seed = "7", how] = process.argv.slice(2)
const shop = { name, folder: "/tmp/w/tryb/tests/checkouts/shops", command: [process.execPath, "habits.mjs", name] }
const begin = Date.now()
const r = await Effect.runPromise(ExampleRun.run(shop, { payments: Number(payments), seed: Number(seed), ...(kinds === "all" ? {} : { kinds: kinds.split(",") as any }), template: { patience: "2 seconds", ...JSON.parse(template) } }))
const counts = new Map<string, number>()
for (const l of summary(r)) { const k = how === "full" ? l : l.replaceAll(/c[a-z0-9]+n\d+[-\w]*/g, "ORDER").replaceAll(/\d+\.\d\d/g, "N"); counts.set(k, (counts.get(k) ?? 0) + 1) }
console.log(`== ${name}: ${r.payments} payments, notMet ${r.notMet}, ${Date.now() - begin} ms, met ${JSON.stringify(r.met)}`)
for (const [k, n] of counts) console.log(`  ${n} x ${k}`)
if (how !== undefined) for (const f of r.findings.slice(0, 2)) { console.log(f.kind, JSON.stringify(f.case), f.requests); for (const e of f.timeline) console.log("    ", e.atMs, e.from, e.text, e.isFault ? "!" : "") }
