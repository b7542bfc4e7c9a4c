/**
 * A mistake that integrators make when they sign, as data: what it is, what to do, and how to make it on purpose. Signing is a list of
 * steps, and a mistake replaces some of them. Two mistakes can be made together if they replace different steps.
 */

/** The steps of signing. `values` has a step for each value that is signed. */
export interface Steps {
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * One way to make a mistake: what exactly was done (never a secret, never card data) and the steps that replace the right ones. A
 * weight replaces that of the mistake.
 */
export type Variant<Draft extends Steps> = readonly [detail: string, steps: Partial<Draft>, weight?: number]

/** A mistake of the catalogue. `variants` makes it in each way that is possible for a draft. */
export interface Mistake<Draft extends Steps> {
  readonly id: string
  /** The mistake in one sentence. */
  readonly description: string
  /** The correction in one sentence. */
  readonly remedy: string
  /**
   * How unlikely the mistake is: {@link USUAL} if it is not given. The explanation with the least weight is reported. Mistakes that
   * weigh {@link LAST} are not tried together with another one.
   */
  readonly weight?: number
  readonly variants: (draft: Draft) => Iterable<Variant<Draft>>
}

export const USUAL = 1
export const RARE = 2
/** Is added to the weight of a mistake of which another one tells more exactly, if that one gives the same signature. */
export const VAGUE = 0.5
/** A mistake with so many variants that it is tried together with usual ones only. */
export const ALONE = 3
/** A mistake that is tried if nothing else explains the signature. */
export const LAST = 4

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
