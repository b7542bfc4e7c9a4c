/** Decimal digits of all scripts, as people and their keyboards write them. */

/** The zeros of all scripts with decimal digits. The other nine digits of each follow its zero. */
export const zeros: ReadonlyArray<number> = [
  ..."0٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰０𐒠𐴰𐵀𑁦𑃰𑄶𑇐𑋰𑑐𑓐𑙐𑛀𑛐𑛚𑜰𑣠𑥐𑯰𑱐𑵐𑶠𑷠𑽐𖄰𖩠𖫀𖭐𖵰𜳰𝟎𝟘𝟢𝟬𝟶𞅀𞋰𞓰𞗱𞥐🯰"
].map((zero) => zero.codePointAt(0) ?? 0)

/**
 * Returns the text in compatibility form (NFKC: `１` as `1`, `／` as `/`), with all decimal digits in ASCII. `zeros` are those of
 * this module: the script of a page has a copy of this function, and cannot refer to the module.
 */
export const fold = (text: string, zeros: ReadonlyArray<number>): string =>
  text.normalize("NFKC").replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((first) => first <= code && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })

export const ascii = (text: string): string => (/^[ -~]*$/.test(text) ? text : fold(text, zeros))
