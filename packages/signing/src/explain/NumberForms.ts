/** Changes of values that are numbers, truth values or card numbers. */

/** Removes zeros, and then a point, from the end of a decimal fraction. */
export const withoutZeros = (major: string): string => {
  if (!major.includes(".")) return major
  const digits = /^.*[^0]/.exec(major)?.[0] ?? major
  return digits.endsWith(".") ? digits.slice(0, -1) : digits
}

const isNumber = (text: string): boolean => /^\d{1,40}(\.\d{1,10})?$/.test(text)

/** Returns a change of numbers. Other values stay as they are, and amounts, which have mistakes of their own. */
export const number =
  (change: (value: string) => string) =>
  (value: string, name: string): string =>
    isNumber(value) && name !== "amount" ? change(value) : value

export const exponential = (text: string): string => Number(text).toExponential()

export const words: ReadonlyArray<readonly [string, string]> = [
  ["true", "1"],
  ["false", "0"],
  ["1", "true"],
  ["0", "false"],
  ["true", "yes"],
  ["false", "no"],
  ["true", "on"],
  ["false", ""]
]

export const firstAndLast = (mark: string, count?: number) => (value: string) =>
  /^\d{12,19}$/.test(value) ? value.slice(0, 6) + mark.repeat(count ?? value.length - 10) + value.slice(-4) : value
export const lastOnly = (mark: string) => (value: string) =>
  /^\d{12,19}$/.test(value) ? mark.repeat(value.length - 4) + value.slice(-4) : value
export const inGroups = (separator: string) => (value: string) =>
  /^\d{12,19}$/.test(value) ? value.replaceAll(/\d{4}(?=\d)/g, `$&${separator}`) : value

/** What the package fmt of Go prints for a value whose verb is that of another type. */
export const wrongVerbs = (text: string): ReadonlyArray<string> => [
  ...["d", "f", ".2f", "x", "t"].map(
    (verb) => `%!${verb.slice(-1)}(string=${verb === ".2f" ? text.slice(0, 2) : text})`
  ),
  ...["int", "int64", "uint", "uint64"].flatMap((type) => ["s", "f", "q"].map((verb) => `%!${verb}(${type}=${text})`)),
  ...["float64", "float32"].flatMap((type) => ["s", "d", "q"].map((verb) => `%!${verb}(${type}=${text})`))
]
