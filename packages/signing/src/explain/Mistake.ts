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
   * weigh more than {@link RARE} are not tried together with another one.
   */
  readonly weight?: number
  readonly variants: (draft: Draft) => Iterable<Variant<Draft>>
}

export const USUAL = 1
export const RARE = 2
/** Is added to the weight of a mistake of which another one tells more exactly, if that one gives the same signature. */
export const VAGUE = 0.5
/** A mistake with so many variants that it is not tried together with another one. */
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

/** How a search compares a draft with the received signature, and what it reports. */
export interface Question<Draft extends Steps> {
  readonly reproduces: (draft: Draft) => boolean
  readonly textOf?: ((draft: Draft) => string) | undefined
  /** Largest number of pairs that are tried, which limits the time of a search. */
  readonly mostPairs: number
}

/** Largest number of findings with two mistakes. Several of them may describe the same cause. */
const MAX_PAIRS = 3

/** A variant with its mistake, and the steps that it replaces, by their names. */
interface Candidate<Draft extends Steps> {
  readonly mistake: Mistake<Draft>
  readonly detail: string
  readonly steps: Partial<Draft>
  readonly weight: number
  readonly names: ReadonlyArray<string>
  readonly draft: Draft
  /** The place of the mistake in the catalogue. */
  readonly place: number
}

const namesOf = <Draft extends Steps>(steps: Partial<Draft>): ReadonlyArray<string> =>
  Object.entries(steps).flatMap(([name, step]) =>
    name === "values" ? Object.keys(step ?? {}).map((each) => `values ${each}`) : [name]
  )

const replaced = <Draft extends Steps>(draft: Draft, steps: Partial<Draft>): Draft => ({
  ...draft,
  ...steps,
  ...(steps.values !== undefined && { values: { ...draft.values, ...steps.values } })
})

function* candidatesOf<Draft extends Steps>(
  draft: Draft,
  mistake: Mistake<Draft>,
  place: number
): Generator<Candidate<Draft>> {
  for (const [detail, steps, weight = mistake.weight ?? USUAL] of mistake.variants(draft))
    yield { mistake, detail, steps, weight, names: namesOf(steps), draft: replaced(draft, steps), place }
}

/** The finding of candidates that were made together. Details of one mistake become one. */
const findingOf = <Draft extends Steps>(
  candidates: ReadonlyArray<Candidate<Draft>>,
  signed: Pick<Finding, "signed">
): Finding => {
  const [first, second] = candidates
  const isOne = first !== undefined && first.mistake === second?.mistake
  const mistakes = candidates.map(({ mistake: { description, id, remedy }, detail }) => ({
    id,
    description,
    remedy,
    detail: isOne ? `${first.detail}; ${second.detail}` : detail
  }))
  return { mistakes: isOne ? mistakes.slice(0, 1) : mistakes, ...signed }
}

interface Pair<Draft extends Steps> {
  readonly both: readonly [Candidate<Draft>, Candidate<Draft>]
  readonly draft: Draft
  readonly weight: number
}

const together = <Draft extends Steps>(first: Candidate<Draft>, second: Candidate<Draft>): Draft =>
  first.steps.values === undefined ? replaced(second.draft, first.steps) : replaced(first.draft, second.steps)

/** Puts the first candidate of each mistake before the second ones, so that a limit leaves out no mistake. */
const alternating = <Draft extends Steps>(candidates: ReadonlyArray<Candidate<Draft>>) =>
  [...Map.groupBy(candidates, ({ place }) => place).values()]
    .flatMap((own) => own.map((candidate, rank) => ({ candidate, rank })))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ candidate }) => candidate)

/** All pairs of candidates that replace different steps, the likely ones first, with their weights in whole numbers. */
function* pairsOf<Draft extends Steps>(
  candidates: ReadonlyArray<Candidate<Draft>>
): Generator<readonly [tier: number, first: Candidate<Draft>, second: Candidate<Draft>]> {
  const tiers = [USUAL, RARE].map((tier) => candidates.filter(({ weight }) => Math.floor(weight) === tier))
  const [usual = [], rare = []] = tiers
  for (const [index, first] of usual.entries())
    for (const second of usual.slice(index + 1)) yield [USUAL + USUAL, first, second]
  for (const first of alternating(usual)) for (const second of rare) yield [USUAL + RARE, first, second]
  for (const [index, first] of rare.entries())
    for (const second of rare.slice(index + 1)) yield [RARE + RARE, first, second]
}

type Named = { readonly names: ReadonlyArray<string> }

const isDisjoint = ({ names }: Named, { names: others }: Named): boolean => !names.some((name) => others.includes(name))

/** Tries pairs of candidates until there are some in a tier. Returns those with the least weight, one for each two mistakes. */
const findPairs = <Draft extends Steps>(
  candidates: ReadonlyArray<Candidate<Draft>>,
  hit: (draft: Draft) => boolean,
  mostPairs: number
): ReadonlyArray<Pair<Draft>> => {
  const pairs = new Map<string, Pair<Draft>>()
  let last = USUAL + USUAL
  let left = mostPairs
  for (const [tier, first, second] of pairsOf(candidates)) {
    if (left === 0 || (tier !== last && pairs.size > 0)) break
    last = tier
    if (!isDisjoint(first, second)) continue
    left -= 1
    const draft = together(first, second)
    if (!hit(draft)) continue
    const both = first.place <= second.place ? ([first, second] as const) : ([second, first] as const)
    const name = both.map(({ mistake }) => mistake.id).join(" ")
    if (!pairs.has(name)) pairs.set(name, { both, draft, weight: first.weight + second.weight })
  }
  const least = Math.min(...[...pairs.values()].map(({ weight }) => weight))
  return [...pairs.values()].filter(({ weight }) => weight === least).slice(0, MAX_PAIRS)
}

/**
 * Tries every mistake by itself, then pairs of mistakes that replace different steps, and at last what is unlikely. Reports the
 * explanations that are most likely.
 */
export const search = <Draft extends Steps>(
  draft: Draft,
  mistakes: ReadonlyArray<Mistake<Draft>>,
  { mostPairs, reproduces, textOf }: Question<Draft>
): Explanation => {
  if (reproduces(draft)) return { _tag: "Correct" }
  let tried = 0
  const hit = (candidate: Draft): boolean => {
    tried += 1
    return reproduces(candidate)
  }
  const expected = textOf === undefined ? {} : { expected: textOf(draft) }
  const signed = (candidate: Draft) => (textOf === undefined ? {} : { signed: textOf(candidate) })
  const explained = (findings: ReadonlyArray<Finding>): Explanation => ({ _tag: "Explained", findings, ...expected })
  const single = (candidate: Candidate<Draft>) => findingOf([candidate], signed(candidate.draft))

  const [likely, unlikely] = [false, true].map((isLast) =>
    mistakes.flatMap((mistake, place) => (((mistake.weight ?? USUAL) === LAST) === isLast ? [{ mistake, place }] : []))
  )
  const paired: Array<Candidate<Draft>> = []
  const singles: Array<Candidate<Draft>> = []
  for (const { mistake, place } of likely ?? []) {
    const all = [...candidatesOf(draft, mistake, place)]
    paired.push(...all.filter(({ weight }) => weight < ALONE))
    const hits = all.filter((candidate) => hit(candidate.draft))
    singles.push(...hits.toSorted((one, other) => one.weight - other.weight).slice(0, 1))
  }
  if (singles.length > 0) {
    const least = Math.min(...singles.map(({ weight }) => weight))
    return explained(singles.filter(({ weight }) => weight <= least + VAGUE).map(single))
  }
  const pairs = findPairs(paired, hit, mostPairs)
  if (pairs.length > 0) return explained(pairs.map((pair) => findingOf(pair.both, signed(pair.draft))))
  for (const { mistake, place } of unlikely ?? []) {
    for (const candidate of candidatesOf(draft, mistake, place))
      if (hit(candidate.draft)) return explained([single(candidate)])
  }
  return { _tag: "Unexplained", tried, facts: [], ...expected }
}
