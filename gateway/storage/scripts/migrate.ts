/**
 * Writes the next migration of each engine: the statements that lead from the checked-in migrations to the present entities.
 *
 *   node scripts/migrate.ts NAME              adds migrations/NNNN_NAME.sql and migrations/postgres/NNNN_NAME.sql, where there is a difference
 *   node scripts/migrate.ts NAME --replace    writes the last ones anew, while no release has them
 *
 * Write a change that it refuses by hand into migrations/. Run this program afterwards, to bundle the migration and to check that it
 * is complete.
 */
import { rmSync, writeFileSync } from "node:fs"
import * as Entities from "@pay/gateway/Entities"
import * as PostgresSchema from "./PostgresSchema.ts"
import * as Schema from "./Schema.ts"
import * as Steps from "./Steps.ts"

const [name, replace] = process.argv.slice(2)
if (name === undefined) throw new Error("node scripts/migrate.ts NAME [--replace]")

type Difference = (scripts: ReadonlyArray<string>) => ReadonlyArray<string>

const write = (engine: Steps.Engine, difference: Difference): void => {
  const last = Steps.read(engine).at(-1)
  if (replace === "--replace" && last !== undefined) rmSync(Steps.fileOf(engine, last.id, last.name))
  const steps = Steps.read(engine)
  const statements = difference(steps.map(({ sql }) => sql))
  if (statements.length > 0) {
    const file = Steps.fileOf(engine, (steps.at(-1)?.id ?? 0) + 1, name)
    writeFileSync(file, statements.map((sql) => `${sql};\n`).join("\n"))
    console.log(file.pathname)
  }
  writeFileSync(engine.module, Steps.moduleOf(engine))
}

write(Steps.sqlite, (scripts) => Schema.difference(Schema.after(scripts), Schema.ofEntities(Entities.all)))
write(Steps.postgres, (scripts) =>
  PostgresSchema.difference(PostgresSchema.after(scripts.flatMap(PostgresSchema.statementsOf)), Entities.all)
)
