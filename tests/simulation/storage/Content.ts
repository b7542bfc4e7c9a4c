/** The content of a database, and comparisons of contents. */
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"

/** All pages, including those in the log. */
export type Content = Uint8Array

/** Opens a read-only connection. Closing it changes nothing while the process has its own connection. */
const reader = (path: string): DatabaseSync => {
  const url = pathToFileURL(path)
  url.searchParams.set("mode", "ro")
  return new DatabaseSync(url, { readOnly: true })
}

export const of = (path: string): Content => {
  const database = reader(path)
  try {
    return database.serialize()
  } finally {
    database.close()
  }
}

export interface Difference {
  readonly table: string
  /** Missing rows, and unexpected rows. */
  readonly lost: ReadonlyArray<Row>
  readonly gained: ReadonlyArray<Row>
}

type Row = Readonly<Record<string, string>>

/** Returns the tables that differ. `storeMark` is left out, because each opening of a store changes it. */
export const differences = (expected: Content, actual: Content): ReadonlyArray<Difference> => {
  if (differ(expected, actual).length === 0) return []
  const [before, after] = [tables(expected), tables(actual)]
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].flatMap((table) => {
    const [one, other] = [before.get(table) ?? new Map(), after.get(table) ?? new Map()]
    const lost = [...one].filter(([key]) => !other.has(key)).map(([, row]) => row)
    const gained = [...other].filter(([key]) => !one.has(key)).map(([, row]) => row)
    return lost.length + gained.length === 0 ? [] : [{ table, lost, gained }]
  })
}

/** Reports a store whose content is none of the expected ones. */
export const missing = (contents: ReadonlyArray<Content>, actual: Content): ReadonlyArray<string> => {
  const each = contents.map((expected) => differences(expected, actual))
  return each.some(({ length }) => length === 0)
    ? []
    : [`the store opened with other rows than it had: ${text(each[0] ?? [])}`]
}

/** Whether the only differences are values of one row that are in no index. */
export const isOneRowUnindexed = (content: Content, [only, ...others]: ReadonlyArray<Difference>): boolean => {
  const [lost, gained] = [only?.lost[0], only?.gained[0]]
  if (only === undefined || others.length > 0 || lost === undefined || gained === undefined) return false
  if (only.lost.length > 1 || only.gained.length > 1) return false
  const indexed = on(content, (database) => indexedColumns(database, only.table))
  return indexed.every((column) => lost[column] === gained[column])
}

const text = (actual: ReadonlyArray<Difference>): string =>
  actual
    .map(({ gained, lost, table }) => {
      const [first] = lost.length > 0 ? lost : gained
      return `${table}: ${lost.length} rows missing, ${gained.length} others instead (${JSON.stringify(first).slice(0, 200)})`
    })
    .join("; ")

/** Returns the pages that differ, except the first page and the page with the row of `storeMark`. */
const differ = (one: Content, other: Content): ReadonlyArray<number> => {
  const pageBytes = 4096
  const [first, second] = [Buffer.from(one.buffer, one.byteOffset, one.length), Buffer.from(other)]
  if (first.length !== second.length) return [0]
  const own = on(one, (database) => Number(database.prepare(root).get()?.rootpage ?? 1))
  return Array.from({ length: first.length / pageBytes }, (_, page) => page).filter(
    (page) =>
      page !== 0 &&
      page !== own - 1 &&
      first.compare(second, page * pageBytes, (page + 1) * pageBytes, page * pageBytes, (page + 1) * pageBytes) !== 0
  )
}

/** Returns the number of commits of a store. */
export const sequence = (content: Content): number =>
  on(content, (database) => Number(database.prepare('SELECT "sequence" FROM "storeMark"').get()?.sequence ?? 0))

const root = "SELECT rootpage FROM sqlite_schema WHERE name = 'storeMark'"

const on = <A>(content: Content, ask: (database: DatabaseSync) => A): A => {
  const bytes = Uint8Array.from(content)
  // A database in memory has no log: https://sqlite.org/fileformat2.html#file_format_version_numbers
  bytes.fill(1, 18, 20)
  const database = new DatabaseSync(":memory:")
  try {
    database.deserialize(bytes)
    return ask(database)
  } finally {
    database.close()
  }
}

const tables = (content: Content): ReadonlyMap<string, ReadonlyMap<string, Row>> =>
  on(content, (database) => {
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'storeMark'")
      .all()
      .map((row) => String(row.name))
    return new Map(["sqlite_schema", ...names].map((name) => [name, rows(database, name)]))
  })

const rows = (database: DatabaseSync, table: string): ReadonlyMap<string, Row> => {
  // The root page of a table can differ from one database to another, so it is left out.
  const columns = table === "sqlite_schema" ? "type, name, tbl_name, sql" : "*"
  const statement = database.prepare(`SELECT ${columns} FROM "${table}"`)
  statement.setReadBigInts(true)
  return new Map(
    statement.all().map((row) => {
      const values = Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value)
      ])
      return [JSON.stringify(values), Object.fromEntries(values)]
    })
  )
}

/** Whether the rows are only in the tree of their key. A changed key that stays between its neighbours is then undetectable. */
const isOnlyTree = (database: DatabaseSync, table: string): boolean =>
  Number(database.prepare("SELECT wr FROM pragma_table_list(?)").get(table)?.wr ?? 0) === 1 &&
  database.prepare("SELECT 1 FROM pragma_index_list(?) WHERE origin <> 'pk'").get(table) === undefined

const indexedColumns = (database: DatabaseSync, table: string): ReadonlyArray<string> => {
  if (isOnlyTree(database, table)) return []
  const key = database
    .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0")
    .all(table)
    .map((row) => String(row.name))
  const others = database
    .prepare("SELECT c.name FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c")
    .all(table)
    .map((row) => String(row.name))
  return [...key, ...others]
}
