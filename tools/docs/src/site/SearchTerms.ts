/**
 * The terms of the search. VitePress sends these functions to the reader's browser as text, so they use nothing from outside.
 */

/**
 * Returns the terms of a text in the index: each name as a whole, and its parts. `client_orderid` is found by `client_orderid`,
 * `client` and `orderid`; `--accept-loss` by itself, `accept-loss`, `accept` and `loss`; `clientOrderId` by its words, too. A command,
 * such as `pay call`, is a term besides its words, and so is a method that is called, such as `fromEnv` of `Pay.fromEnv()`.
 */
export const indexed = (text: string): Array<string> => [
  ...(text.match(/\bpay [a-z]{3,}/g) ?? []),
  ...(text.match(/(?<=\.)[a-z]+[A-Z][A-Za-z]*(?=\()/g) ?? []),
  ...(text.match(/(?:(?<![\p{L}\p{N}-])--)?[\p{L}\p{N}]+(?:(?:\[\])?[_.+-][\p{L}\p{N}]+)*/gu) ?? []).flatMap((term) => {
    const name = term.replace(/^--/, "")
    const parts = name.split(/(?:\[\])?[_.+-]|(?<=\p{Ll})(?=\p{Lu})/u)
    return [...(name === term ? [] : [term]), name, ...(parts.length > 1 ? parts : [])]
  })
]

/** Returns the terms of a query: each name as a whole only, so that other names with one of its parts do not come first. */
export const queried = (text: string): Array<string> => [
  ...(text.match(/\bpay [a-z]{3,}/g) ?? []),
  ...(text.match(/(?:(?<![\p{L}\p{N}-])--)?[\p{L}\p{N}]+(?:(?:\[\])?[_.+-][\p{L}\p{N}]+)*/gu) ?? [])
]

/** Returns how many letters of a term a reader may have got wrong. A number, a flag or a name with `_`, `+` or `[]` is sought as it is. */
export const tolerance = (term: string): number | false => (/[\d_+[]|^--/.test(term) ? false : 0.2)

/** Returns the forms of a term in the index: in lower case, and of a plural the singular, too. */
const forms = (term: string): Array<string> => {
  const lower = term.toLowerCase()
  return /^[a-z]{3,}s$/.test(lower) ? [lower, lower.slice(0, -1)] : [lower]
}

/** How texts become terms of the index. */
export const options = { tokenize: indexed, processTerm: forms }

/** Returns the weight of a section: pages that are read in order come before reference, and reasons and evidence last. */
const weightOf = (id: string): number => {
  const [address = ""] = id.split("#", 1)
  const page = address.replace(/\.(?:html|md)$/, "")
  if (/contributors\/|operators\/(?:soak|packages)|\/overview$|^\/?index$/.test(page)) return 0.3
  if (/assumptions|specification|conformance-file|vectors|older-dialect|merchants\/packages/.test(page)) return 0.5
  if (/operators\/(?:postgres|backup|incidents|operating|monitoring)$/.test(page)) return 1.2
  if (/operators\/|merchants\/(?:flows|operations|crashtest)/.test(page)) return 0.8
  return /\/(?:checkout|3-d-secure|callbacks|refunds|payouts|errors|testing|going-live)$/.test(page) ? 2 : 1.2
}

/**
 * How a query finds texts. Terms that begin with one of its words are found, too, but words of one or two letters begin too many. A whole
 * word counts most, and a long table does not win by its length.
 */
export const searchOptions = {
  tokenize: queried,
  processTerm: (term: string) => term.toLowerCase(),
  fuzzy: tolerance,
  prefix: (term: string) => term.length > 2,
  boost: { title: 6, text: 2, titles: 2 },
  weights: { fuzzy: 0.05, prefix: 0.2 },
  bm25: { k: 1.2, b: 0.9, d: 0.1 },
  boostDocument: weightOf
}

/** What a reader of the index needs besides, which VitePress adds by itself. */
export const miniSearch = { ...options, fields: ["title", "titles", "text"], storeFields: ["title", "titles"] }
