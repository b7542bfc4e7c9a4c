/** Texts that can be made of a whole body, which merchants sign in place of the values of a recipe. */

/** Returns other texts of a body with the same fields: decoded, with + for a blank, with %20, sorted by name, and in JSON. */
export const rewritten = (body: string): ReadonlyArray<string> => {
  const form = new URLSearchParams(body)
  const encoded = form.toString()
  const plain = (pairs: Iterable<readonly [string, string]>) =>
    [...pairs].map(([name, value]) => `${name}=${value}`).join("&")
  return [
    plain(form),
    encoded,
    encoded.replaceAll("+", "%20"),
    plain([...form].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    JSON.stringify(Object.fromEntries(form))
  ]
}

/** Returns the values of all fields of a body as one text, in two orders. */
export const valuesOf = (body: string): ReadonlyArray<readonly [detail: string, text: string]> => {
  const fields = [...new URLSearchParams(body)]
  const sorted = fields.toSorted(([one], [other]) => (one < other ? -1 : 1))
  const joined = (pairs: typeof fields) => pairs.map(([, value]) => value).join("")
  return [
    ["the values of all fields, and the key", joined(fields)],
    ["the values of all fields sorted by name, and the key", joined(sorted)]
  ]
}
