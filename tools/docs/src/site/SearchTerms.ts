/**
 * The terms of the search. VitePress sends these functions to the reader's browser as text, so they use nothing from outside.
 */

/**
 * Returns the terms of a text in the index: each name as a whole, and its parts. `client_orderid` is found by `client_orderid`,
 * `client` and `orderid`; `--accept-loss` by itself, `accept-loss`, `accept` and `loss`; `clientOrderId` by its words, too.
 */
export const indexed = (text: string): Array<string> =>
  (text.match(/(?:(?<![\p{L}\p{N}-])--)?[\p{L}\p{N}]+(?:(?:\[\])?[_.+-][\p{L}\p{N}]+)*/gu) ?? []).flatMap((term) => {
    const name = term.replace(/^--/, "")
    const parts = name.split(/(?:\[\])?[_.+-]|(?<=\p{Ll})(?=\p{Lu})/u)
    return [...(name === term ? [] : [term]), name, ...(parts.length > 1 ? parts : [])]
  })

/** Returns the terms of a query: each name as a whole only, so that other names with one of its parts do not come first. */
export const queried = (text: string): Array<string> =>
  text.match(/(?:(?<![\p{L}\p{N}-])--)?[\p{L}\p{N}]+(?:(?:\[\])?[_.+-][\p{L}\p{N}]+)*/gu) ?? []

/** Returns how many letters of a term a reader may have got wrong. A number, a flag or a name with `_`, `+` or `[]` is sought as it is. */
export const tolerance = (term: string): number | false => (/[\d_+[]|^--/.test(term) ? false : 0.2)

/** How texts become terms of the index. */
export const options = { tokenize: indexed }

/** How a query finds texts. Terms that begin with one of its words are found, too, but words of one or two letters begin too many. */
export const searchOptions = {
  tokenize: queried,
  fuzzy: tolerance,
  prefix: (term: string) => term.length > 2,
  boost: { title: 4, text: 2, titles: 1 }
}

/** What a reader of the index needs besides, which VitePress adds by itself. */
export const miniSearch = { ...options, fields: ["title", "titles", "text"], storeFields: ["title", "titles"] }
