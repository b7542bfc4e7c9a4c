/** A mistake that integrators make when they sign, as data: what it is, what to do, and how to make it on purpose. */

/** One way to make a mistake: what exactly was done (never a secret, never card data) and the draft that results. */
export type Variant<Draft> = readonly [detail: string, draft: Draft]

/** A mistake of the catalogue. `variants` makes it in each way that is possible for a draft. */
export interface Mistake<Draft> {
  readonly id: string
  /** The mistake in one sentence. */
  readonly description: string
  /** The correction in one sentence. */
  readonly remedy: string
  /** The part of signing that the mistake changes. Two mistakes are combined only if they change different parts. */
  readonly aspect: string
  /** Whether the mistake is so rare that it is not tried together with another one, which would take most of the time. */
  readonly isRare?: true
  readonly variants: (draft: Draft) => ReadonlyArray<Variant<Draft>>
}

/** A mistake that was made. `detail` is what exactly was done, without secrets. */
export interface NamedMistake {
  readonly id: string
  readonly description: string
  readonly remedy: string
  readonly detail: string
}

/** The result of a search: mistakes that, made together, give the received signature. */
export interface Finding {
  readonly mistakes: ReadonlyArray<NamedMistake>
  /** The text that was signed, if the question requests texts. */
  readonly signed?: string
}

/** The result of an explanation. `Unexplained` has the number of drafts that were tried, and what is known nevertheless. */
export type Explanation =
  | { readonly _tag: "Correct" }
  | ({ readonly _tag: "Explained"; readonly findings: ReadonlyArray<Finding> } & Expected)
  | ({ readonly _tag: "Unexplained"; readonly tried: number; readonly facts: ReadonlyArray<string> } & Expected)

interface Expected {
  /** The text that should have been signed, if the question requests texts. */
  readonly expected?: string
}

/** Largest number of findings with two mistakes. Several of them may describe the same cause. */
const MAX_PAIRS = 3

/** Tries every mistake by itself. Only if none explains the signature, tries every pair of mistakes with different aspects. */
export const search = <Draft>(
  draft: Draft,
  mistakes: ReadonlyArray<Mistake<Draft>>,
  reproduces: (draft: Draft) => boolean,
  textOf?: (draft: Draft) => string
): Explanation => {
  if (reproduces(draft)) return { _tag: "Correct" }
  let tried = 0
  const expected = textOf === undefined ? {} : { expected: textOf(draft) }
  const signed = (candidate: Draft) => (textOf === undefined ? {} : { signed: textOf(candidate) })
  const hit = (candidate: Draft): boolean => {
    tried++
    return reproduces(candidate)
  }

  const singles: Array<Finding> = []
  for (const mistake of mistakes) {
    const variant = mistake.variants(draft).find(([, candidate]) => hit(candidate))
    if (variant !== undefined) singles.push({ mistakes: [named(mistake, variant[0])], ...signed(variant[1]) })
  }
  if (singles.length > 0) return { _tag: "Explained", findings: singles, ...expected }

  const pairs: Array<Finding> = []
  const usual = mistakes.filter(({ isRare }) => isRare !== true)
  for (const [index, first] of usual.entries()) {
    for (const second of usual.slice(index + 1)) {
      if (first.aspect === second.aspect) continue
      for (const [firstDetail, spoiled] of first.variants(draft)) {
        const variant = second.variants(spoiled).find(([, candidate]) => hit(candidate))
        if (variant === undefined) continue
        pairs.push({ mistakes: [named(first, firstDetail), named(second, variant[0])], ...signed(variant[1]) })
        if (pairs.length === MAX_PAIRS) return { _tag: "Explained", findings: pairs, ...expected }
        break
      }
    }
  }
  return pairs.length > 0
    ? { _tag: "Explained", findings: pairs, ...expected }
    : { _tag: "Unexplained", tried, facts: [], ...expected }
}

const named = <Draft>({ id, description, remedy }: Mistake<Draft>, detail: string) => ({
  id,
  description,
  remedy,
  detail
})
