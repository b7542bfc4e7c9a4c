import { join } from "node:path"
import { fill } from "./million/Fill.ts"
import * as Templates from "./million/Templates.ts"
const folder = process.argv[2] ?? ""
const t = performance.now()
console.log(await Templates.carryThrough(folder))
fill(join(folder, "gateway.db"), Number(process.argv[3]))
console.log("filled in", Math.round(performance.now() - t), "ms")
