/**
 * Writes the next migration: what leads from the checked-in ones to the entities as they are now.
 *
 *   node scripts/migrate.ts NAME              adds migrations/NNNN_NAME.sql, if there is a difference
 *   node scripts/migrate.ts NAME --replace    writes the last one anew, while no release has it
 *
 * A change that it refuses is written by hand into migrations/; run this afterwards, to bundle it and to see that nothing
 * is missing.
 */
import { rmSync, writeFileSync } from "node:fs"
import * as Entities from "@pay/gateway/Entities"
import * as Schema from "./Schema.ts"
import * as Steps from "./Steps.ts"

const [name, replace] = process.argv.slice(2)
if (name === undefined) throw new Error("node scripts/migrate.ts NAME [--replace]")

const last = Steps.read().at(-1)
if (replace === "--replace" && last !== undefined) rmSync(Steps.fileOf(last.id, last.name))

const kept = Steps.read()
const statements = Schema.difference(Schema.after(kept.map(({ sql }) => sql)), Schema.ofEntities(Entities.all))
if (statements.length > 0) {
  const file = Steps.fileOf((kept.at(-1)?.id ?? 0) + 1, name)
  writeFileSync(file, statements.map((sql) => `${sql};\n`).join("\n"))
  console.log(file.pathname)
}
writeFileSync(Steps.module, Steps.moduleOf(Steps.read()))
