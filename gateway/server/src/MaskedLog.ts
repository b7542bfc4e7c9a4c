/**
 * Log lines of the gateway's programs, with card numbers masked. What other systems sent is masked where it arrives; a defect, an
 * error of the database or a text of an adapter can still reach the log in a message or a cause.
 */
import * as CardText from "@pay/schema/CardText"
import { Formatter, Logger, Predicate } from "effect"

const masked = (value: unknown): unknown => {
  if (Predicate.isString(value)) return CardText.mask(value)
  if (Array.isArray(value)) return value.map(masked)
  if (value instanceof Error) return { name: value.name, message: CardText.mask(value.message) }
  return Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [CardText.mask(name), masked(member)]))
    : value
}

/** An annotation of digits only is an identifier, such as the number of an order. */
const identifier = /^\d+$/
const maskedAnnotation = (value: unknown): unknown =>
  Predicate.isString(value) && identifier.test(value) ? value : masked(value)

/** A log line as JSON. */
export const formatJson: Logger.Logger<unknown, string> = Logger.map(Logger.formatStructured, (line) =>
  Formatter.formatJson({
    ...line,
    message: masked(line.message),
    cause: masked(line.cause),
    annotations: Object.fromEntries(
      Object.entries(line.annotations).map(([name, value]) => [name, maskedAnnotation(value)])
    )
  })
)

/** Writes lines for people to standard error. */
export const readable: Logger.Logger<unknown, void> = Logger.withConsoleError(
  Logger.map(Logger.formatLogFmt, (line) => CardText.mask(line))
)
