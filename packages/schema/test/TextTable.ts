/** Tables written as text: a line is a row, `|` stands between cells. Each name in a cell stands for a value that the test states beside its table. */

/** The rows of a table, the first of them its header. */
export const rows = (table: string): ReadonlyArray<ReadonlyArray<string>> =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))

/** The value that a cell names. A name without a value is an error. */
export const named = <A>(values: Readonly<Record<string, A>>, name: string): A => {
  const value = values[name]
  if (value === undefined) throw new Error(`the table names "${name}", which stands for no value`)
  return value
}

/** The changes that a cell names, with commas between them, all in one; none for an empty cell. */
export const changes = <A>(values: Readonly<Record<string, Partial<A>>>, names: string): Partial<A> => {
  let all: Partial<A> = {}
  if (names === "") return all
  for (const name of names.split(", ")) all = { ...all, ...named(values, name) }
  return all
}

/** The values that a cell names, with commas between them; none for an empty cell. */
export const list = <A>(values: Readonly<Record<string, A>>, names: string): ReadonlyArray<A> =>
  names === "" ? [] : names.split(", ").map((name) => named(values, name))
