/** Values of requests that are near another one: the order before, the next one, and a second try. */

/** The largest difference of two numbers in a row that is tried. */
const MAX_STEP = 50

const suffixes = ["-1", "-2", "_1", "_2", ".1", "/1", "#1", "-retry", "_retry", " ", "1", "2"]

/** Returns texts in which the last number is another one, and with the ends of repeated tries. No detail repeats the value. */
export const near = (text: string): ReadonlyArray<readonly [detail: string, text: string]> => {
  const [, before = "", digits = "", after = ""] = /^(.*?)(\d{1,15})(\D*)$/.exec(text) ?? []
  const steps = Array.from({ length: MAX_STEP }, (_, index) => [-index - 1, index + 1]).flat()
  const numbers =
    digits === ""
      ? []
      : steps
          .filter((step) => Number(digits) + step >= 0)
          .map((step): readonly [string, string] => [
            `with a number that is ${Math.abs(step)} ${step < 0 ? "less" : "more"}`,
            before + String(Number(digits) + step).padStart(digits.length, "0") + after
          ])
  const ends = suffixes.map((end): readonly [string, string] => [`with ${JSON.stringify(end)} at its end`, text + end])
  const shorter = suffixes
    .filter((end) => text.endsWith(end))
    .map((end): readonly [string, string] => [`without ${JSON.stringify(end)} at its end`, text.slice(0, -end.length)])
  return [...numbers, ...ends, ...shorter]
}
