/** Prepares text of other systems for logs and evidence: one line, short, and without anything that may be a card number. */
import * as CardRules from "@pay/schema/Card"

const longest = 500
/** A run of digits, with at most one blank or hyphen between two digits. */
const run = /\d(?:[ -]?\d)*/g
const maxDigits = 19

const masked = (digits: string): string => {
  const number = digits.replaceAll(/[ -]/g, "")
  return number.length > maxDigits || CardRules.isNumber(number) ? "[number]" : digits
}

export const of = (text: string): string =>
  text
    .slice(0, longest)
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll(run, masked)
