/** Reads a bank's list of bookings from a file: CSV with a header line (RFC 4180), or a JSON list. */
import { ListedBooking, OperatorParameter } from "@pay/gateway/OperatorApi"
import { UsageError } from "../terminal/UsageError.ts"

export type Row = Readonly<Record<string, string>>

const fields = Object.keys(ListedBooking.fields)
const required = Object.entries(ListedBooking.fields).flatMap(([name, field]) =>
  OperatorParameter.isOptional(field) ? [] : name
)

/** Splits CSV into records of fields. A field with a comma, a quote or a line break is quoted. */
const records = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const all: Array<Array<string>> = []
  let record: Array<string> = []
  let field = ""
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ""
    if (quoted) {
      if (char !== '"') field += char
      else if (text[at + 1] === '"') {
        field += '"'
        at += 1
      } else quoted = false
    } else if (char === '"') quoted = true
    else if (char === "," || char === "\n") {
      record.push(field)
      field = ""
      if (char === "\n") {
        all.push(record)
        record = []
      }
    } else if (char !== "\r") field += char
  }
  if (field !== "" || record.length > 0) all.push([...record, field])
  return all.filter((each) => each.some((value) => value !== ""))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const fromJson = (text: string): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError("The file is no JSON list of bookings", "bookings")
  }
  if (!Array.isArray(value) || !value.every(isRecord))
    throw new UsageError("The file must be a JSON list of bookings", "bookings")
  return value
}

const fromCsv = (text: string): ReadonlyArray<Row> => {
  const [header = [], ...lines] = records(text)
  const missing = required.filter((name) => !header.includes(name))
  if (missing.length > 0) throw new UsageError(`The header line lacks ${missing.join(", ")}`, "bookings")
  return lines.map((line, index) => {
    if (line.length !== header.length)
      throw new UsageError(`Line ${index + 2} has ${line.length} fields, the header line ${header.length}`, "bookings")
    return Object.fromEntries(header.map((name, place) => [name, line[place] ?? ""]))
  })
}

/** Returns every booking with the fields that the gateway accepts. Empty fields are left out. */
export const read = (text: string): ReadonlyArray<Row> => {
  const rows = text.trimStart().startsWith("[") ? fromJson(text) : fromCsv(text)
  return rows.map((row, index) => {
    if (typeof row.amount === "number")
      throw new UsageError(
        `The amount of booking ${index + 1} must be text, like "10.42", because a number is not exact`,
        "bookings"
      )
    const values = Object.fromEntries(
      fields.flatMap((name) => {
        const value = row[name]
        return typeof value === "string" && value !== "" ? [[name, value] as const] : []
      })
    )
    const missing = required.filter((name) => values[name] === undefined)
    if (missing.length > 0) throw new UsageError(`Booking ${index + 1} lacks ${missing.join(", ")}`, "bookings")
    return values
  })
}
