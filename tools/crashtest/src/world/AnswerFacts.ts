/** Reads what the gateway answered, in both dialects. */
import * as Pairs from "@pay/schema/Pairs"
import { Option, Schema } from "effect"

/** An answer as it was received. */
export interface Answer {
  readonly status: number
  /** Names and values alternately. */
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: Buffer
}

type Fields = Readonly<Record<string, string>>

const Members = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

const members = (text: string): Fields | undefined =>
  Option.getOrUndefined(
    Option.map(Schema.decodeUnknownOption(Members)(text), (fields) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, value]) =>
          typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : []
        )
      )
    )
  )

/** Returns the fields of an answer. None for a page. */
export const fieldsOf = ({ body }: Answer): Fields => {
  const text = body.toString()
  return (text.trimStart().startsWith("{") ? members(text) : Pairs.read(text)) ?? {}
}

/** Returns the gateway's numbers in an answer. */
export const numbersOf = (fields: Fields): ReadonlyArray<string> =>
  ["paynet-order-id", "recurring-payment-id"].flatMap((name) => fields[name] ?? [])

/** Returns what was answered, for a timeline: `accepted, order 1234`. */
export const describe = (answer: Answer): string => {
  const fields = fieldsOf(answer)
  const { "error-code": code, "error-message": message, "paynet-order-id": number, status, type } = fields
  const order = number === undefined ? "" : `, order ${number}`
  if (code !== undefined || message !== undefined)
    return `refused with ${answer.status}: ${[code, message].filter((part) => part !== undefined).join(" ")}${order}`
  if (type === "status-response") return `${status ?? "no status"}${order}`
  if (type?.startsWith("async") === true) return `accepted${order}`
  return `${answer.status}${type === undefined ? "" : ` ${type}`}${order}`
}
