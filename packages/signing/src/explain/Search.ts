/**
 * The search for mistakes that give a received signature: one by itself, then two that replace different steps or one step in turn,
 * and at last what is unlikely.
 */
import { ALONE, type Explanation, type Finding, LAST, type Mistake, RARE, type Steps, USUAL, VAGUE } from "./Mistake.ts"

/** The last steps of signing, which do not change the text that is signed. */
export interface Ending<Draft extends Steps> {
  readonly steps: ReadonlyArray<string>
  /** Whether these steps of a draft can give a signature of the received form, whatever the text is. */
  readonly isPossible: (draft: Draft) => boolean
}

/** How a search compares a draft with the received signature, and what it reports. */
export interface Question<Draft extends Steps> {
  readonly reproduces: (draft: Draft) => boolean
  readonly ending: Ending<Draft>
  readonly textOf?: ((draft: Draft) => string) | undefined
  /** Largest number of pairs that are tried, which limits the time of a search. */
  readonly mostPairs: number
}

/** Largest number of findings with several mistakes. They may describe the same cause. */
const MAX_FINDINGS = 3

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
  /** Whether it replaces one of the last steps, and whether the signature can then have the received form. */
  readonly isEnding: boolean
  readonly canEnd: boolean
}

/** Mistakes that were made together. */
interface Together<Draft extends Steps> {
  readonly all: ReadonlyArray<Candidate<Draft>>
  readonly draft: Draft
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

/** The finding of candidates that were made together. Details of one mistake become one. */
const findingOf = <Draft extends Steps>(
  { all, draft }: Together<Draft>,
  textOf: Question<Draft>["textOf"]
): Finding => {
  const mistakes = Map.groupBy(
    all.toSorted((one, other) => one.place - other.place),
    ({ mistake }) => mistake
  )
  return {
    mistakes: [...mistakes].map(([{ description, id, remedy }, own]) => ({
      id,
      description,
      remedy,
      detail: own.map(({ detail }) => detail).join("; ")
    })),
    ...(textOf !== undefined && { signed: textOf(draft) })
  }
}

const together = <Draft extends Steps>(first: Candidate<Draft>, second: Candidate<Draft>): Draft =>
  first.steps.values === undefined ? replaced(second.draft, first.steps) : replaced(first.draft, second.steps)

const isDisjoint = <Draft extends Steps>({ names }: Candidate<Draft>, { names: others }: Candidate<Draft>): boolean =>
  !names.some((name) => others.includes(name))

const tierOf = ({ weight }: { readonly weight: number }): number => Math.floor(weight)

/** Puts the first candidate of each mistake before the second ones, so that a limit leaves out no mistake. */
const alternating = <Draft extends Steps>(candidates: ReadonlyArray<Candidate<Draft>>) =>
  [...Map.groupBy(candidates, ({ place }) => place).values()]
    .flatMap((own) => own.map((candidate, rank) => ({ candidate, rank })))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ candidate }) => candidate)

/** A mistake with its place in the catalogue. */
type Placed<Draft extends Steps> = readonly [mistake: Mistake<Draft>, place: number]

/** The variants of mistakes, and what compares them. */
interface Trial<Draft extends Steps> {
  readonly question: Question<Draft>
  /** Whether the right last steps can give a signature of the received form. */
  readonly isPlain: boolean
  readonly hit: (draft: Draft) => boolean
}

function* candidatesOf<Draft extends Steps>(
  { isPlain, question: { ending } }: Trial<Draft>,
  draft: Draft,
  [mistake, place]: Placed<Draft>
): Generator<Candidate<Draft>> {
  for (const [detail, steps, weight = mistake.weight ?? USUAL] of mistake.variants(draft)) {
    const names = namesOf(steps)
    const made = replaced(draft, steps)
    const isEnding = names.some((name) => ending.steps.includes(name))
    const canEnd = isEnding ? ending.isPossible(made) : isPlain
    yield { mistake, detail, steps, weight, names, draft: made, place, isEnding, canEnd }
  }
}

/** Makes two mistakes together. `undefined` if they replace the same step, or if no signature of the received form comes of them. */
const pairOf = <Draft extends Steps>(
  { isPlain, question }: Trial<Draft>,
  first: Candidate<Draft>,
  second: Candidate<Draft>
): Together<Draft> | undefined => {
  const [isEnding, isOther] = [first.isEnding, second.isEnding]
  if (isEnding !== isOther ? !(isEnding ? first : second).canEnd : !isEnding && !isPlain) return undefined
  if (!isDisjoint(first, second)) return undefined
  const draft = together(first, second)
  return isEnding && isOther && !question.ending.isPossible(draft) ? undefined : { all: [first, second], draft }
}

/** The mistakes that replace one step again after `first`, which replaced it alone. */
function* againOf<Draft extends Steps>(
  trial: Trial<Draft>,
  candidates: ReadonlyArray<Candidate<Draft>>
): Generator<Together<Draft>> {
  const single = candidates.filter(({ names }) => names.length === 1)
  const ofStep = Map.groupBy(single, ({ names: [name] }) => name)
  for (const first of single.filter((each) => tierOf(each) === USUAL)) {
    const own = ofStep.get(first.names[0]) ?? []
    const others = new Map(own.map(({ mistake, place }) => [place, mistake]))
    for (const [place, mistake] of others) {
      if (place === first.place) continue
      for (const second of candidatesOf(trial, first.draft, [mistake, place]))
        if (second.canEnd && second.names.length === 1 && second.names[0] === first.names[0] && second.weight < ALONE)
          yield { all: [first, second], draft: second.draft }
    }
  }
}

/** Pairs of each of the first candidates with each of the others. */
function* crossed<Draft extends Steps>(
  trial: Trial<Draft>,
  firsts: ReadonlyArray<Candidate<Draft>>,
  seconds: ReadonlyArray<Candidate<Draft>>
): Generator<Together<Draft>> {
  for (const [index, first] of firsts.entries())
    for (const second of firsts === seconds ? seconds.slice(index + 1) : seconds) {
      const pair = pairOf(trial, first, second)
      if (pair !== undefined) yield pair
    }
}

/** Two mistakes of the text and one of the last steps, for a signature that can have no right ending. */
function* threeOf<Draft extends Steps>(
  { isPlain, ...trial }: Trial<Draft>,
  texts: ReadonlyArray<Candidate<Draft>>,
  endings: ReadonlyArray<Candidate<Draft>>
): Generator<Together<Draft>> {
  if (isPlain) return
  for (const pair of crossed({ ...trial, isPlain: true }, texts, texts))
    for (const last of endings)
      if (pair.all.every((each) => isDisjoint(each, last)))
        yield { all: [...pair.all, last], draft: replaced(pair.draft, last.steps) }
}

/** Mistakes that are made together, in tiers: the likely ones first. */
function* tiersOf<Draft extends Steps>(
  trial: Trial<Draft>,
  candidates: ReadonlyArray<Candidate<Draft>>
): Generator<Iterable<Together<Draft>>> {
  const [usual, rare, alone] = [USUAL, RARE, ALONE].map((tier) =>
    alternating(candidates.filter((each) => tierOf(each) === tier))
  )
  if (usual === undefined || rare === undefined || alone === undefined) return
  const endings = [...usual, ...rare].filter(({ canEnd, isEnding }) => isEnding && canEnd)
  const texts = usual.filter(({ isEnding }) => !isEnding)
  yield crossed(trial, usual, usual)
  yield crossed(trial, usual, rare)
  yield crossed(trial, rare, rare)
  yield againOf(trial, candidates)
  yield crossed(trial, endings, alone)
  const usualEndings = endings.filter((each) => tierOf(each) === USUAL)
  yield threeOf(trial, texts, usualEndings)
  yield crossed(trial, texts, alone)
}

const weightOf = <Draft extends Steps>({ all }: Together<Draft>): number =>
  all.reduce((sum, { weight }) => sum + weight, 0)

/** Tries mistakes together until there are some in a tier. Returns those with the least weight, one for each set of names. */
const findTogether = <Draft extends Steps>(
  trial: Trial<Draft>,
  candidates: ReadonlyArray<Candidate<Draft>>
): ReadonlyArray<Together<Draft>> => {
  let left = trial.question.mostPairs
  for (const tier of tiersOf(trial, candidates)) {
    const hits = new Map<string, Together<Draft>>()
    for (const made of tier) {
      if (left === 0) break
      left -= 1
      if (!trial.hit(made.draft)) continue
      const name = made.all
        .map(({ place }) => place)
        .toSorted((one, other) => one - other)
        .join()
      if (!hits.has(name)) hits.set(name, made)
    }
    const least = Math.min(...[...hits.values()].map(weightOf))
    if (hits.size > 0) return [...hits.values()].filter((made) => weightOf(made) === least).slice(0, MAX_FINDINGS)
  }
  return []
}

/** Finds mistakes by themselves: those with the least weight, and vague ones beside them. */
const findSingle = <Draft extends Steps>(
  { hit }: Trial<Draft>,
  candidates: ReadonlyArray<Candidate<Draft>>
): ReadonlyArray<Together<Draft>> => {
  const hits = candidates.filter(({ canEnd, draft }) => canEnd && hit(draft))
  const singles = [...Map.groupBy(hits, ({ place }) => place).values()].flatMap((own) =>
    own.toSorted((one, other) => one.weight - other.weight).slice(0, 1)
  )
  const least = Math.min(...singles.map(({ weight }) => weight))
  return singles.filter(({ weight }) => weight <= least + VAGUE).map((each) => ({ all: [each], draft: each.draft }))
}

/** Tries what is unlikely, with the right last steps, or with wrong ones if those are not possible. */
const findLast = <Draft extends Steps>(
  { hit, isPlain }: Trial<Draft>,
  draft: Draft,
  mistakes: ReadonlyArray<Placed<Draft>>,
  candidates: ReadonlyArray<Candidate<Draft>>
): ReadonlyArray<Together<Draft>> => {
  const endings = candidates.filter(({ canEnd, isEnding, weight }) => isEnding && canEnd && weight < RARE)
  for (const [mistake, place] of mistakes)
    for (const [detail, steps] of mistake.variants(draft)) {
      const made = replaced(draft, steps)
      for (const last of isPlain ? [undefined] : endings) {
        const whole = last === undefined ? made : replaced(made, last.steps)
        if (!hit(whole)) continue
        const own = {
          mistake,
          place,
          detail,
          steps,
          weight: LAST,
          names: [],
          draft: made,
          isEnding: false,
          canEnd: true
        }
        return [{ all: [own, ...(last === undefined ? [] : [last])], draft: whole }]
      }
    }
  return []
}

/** Tries every mistake by itself, then several, and at last what is unlikely. Reports the explanations that are most likely. */
export const search = <Draft extends Steps>(
  draft: Draft,
  mistakes: ReadonlyArray<Mistake<Draft>>,
  question: Question<Draft>
): Explanation => {
  const { ending, reproduces, textOf } = question
  if (reproduces(draft)) return { _tag: "Correct" }
  let tried = 0
  const hit = (candidate: Draft): boolean => {
    tried += 1
    return reproduces(candidate)
  }
  const trial = { question, isPlain: ending.isPossible(draft), hit }
  const placed = mistakes.map((mistake, place) => [mistake, place] as const)
  const [unlikely, likely] = [true, false].map((isLast) =>
    placed.filter(([{ weight = USUAL }]) => (weight === LAST) === isLast)
  )
  const candidates = (likely ?? []).flatMap((each) => [...candidatesOf(trial, draft, each)])
  const expected = textOf === undefined ? {} : { expected: textOf(draft) }
  for (const find of [
    () => findSingle(trial, candidates),
    () => findTogether(trial, candidates),
    () => findLast(trial, draft, unlikely ?? [], candidates)
  ]) {
    const findings = find().map((made) => findingOf(made, textOf))
    if (findings.length > 0) return { _tag: "Explained", findings, ...expected }
  }
  return { _tag: "Unexplained", tried, facts: [], ...expected }
}
