/**
 * Log lines of the gateway's programs, with card numbers masked. What other systems sent is masked where it arrives; a defect, an
 * error of the database or a text of an adapter can still reach the log in a message or a cause.
 */
import * as CardText from "@pay/schema/CardText"
import { Array as Arr, Cause, Formatter, Logger, Predicate, References } from "effect"

const textOf = (value: unknown): string => {
  if (Predicate.isString(value)) return value
  if (Array.isArray(value)) return value.map(textOf).join(", ")
  if (!(value instanceof Error)) return Formatter.formatJson(value)
  const text = value.message === "" ? value.name : `${value.name}: ${value.message}`
  return value.cause === undefined ? text : `${text}: ${textOf(value.cause)}`
}

/** Returns the message of a line as one text: what happened, then what was given beside it. */
export const messageOf = (message: unknown): string => CardText.mask(Arr.ensure(message).map(textOf).join(": "))

const masked = (value: unknown): unknown => {
  if (Predicate.isString(value)) return CardText.mask(value)
  if (Array.isArray(value)) return value.map(masked)
  if (value instanceof Error) return CardText.mask(textOf(value))
  return Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [CardText.mask(name), masked(member)]))
    : value
}

/** A text of digits only is an identifier, such as the number of an order. */
const identifier = /^\d+$/

/** Returns the value of a field of a line. */
export const fieldOf = (value: unknown): unknown =>
  Predicate.isString(value) && identifier.test(value) ? value : masked(value)

/** Returns the name of a field of a line: `orderId` is `order_id`. */
export const nameOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Makes log lines as JSON, each with the fields of `process` beside its own. */
export const json = (process: Readonly<Record<string, string>> = {}): Logger.Logger<unknown, string> =>
  Logger.make(({ cause, date, fiber, logLevel, message }) => {
    const { span } = fiber.cache
    const own = {
      message: messageOf(message),
      level: logLevel.toUpperCase(),
      timestamp: date.toISOString(),
      ...process,
      ...(cause.reasons.length > 0 && { cause: CardText.mask(Cause.pretty(cause)) }),
      ...(span?.sampled === true && { trace_id: span.traceId, span_id: span.spanId })
    }
    const annotations = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
    const others = annotations.map(([name, value]) => [nameOf(name), fieldOf(value)] as const)
    return Formatter.formatJson({ ...own, ...Object.fromEntries(others), ...own })
  })

/** Writes lines for people to standard error. */
export const readable: Logger.Logger<unknown, void> = Logger.withConsoleError(
  Logger.map(Logger.formatLogFmt, (line) => CardText.mask(line))
)
