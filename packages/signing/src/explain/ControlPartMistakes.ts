/** Mistakes with the selection of the values of a `control`, and with their order. */
import * as Control from "../Control.ts"
import { otherAmount } from "./ControlAmountMistakes.ts"
import { type ControlDraft, KEY } from "./ControlDraft.ts"
import { ALONE, LAST, type Mistake, RARE, USUAL, VAGUE, type Variant } from "./Mistake.ts"
import * as OtherValues from "./OtherValues.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>
type Slots = ReadonlyArray<string>

const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

const subsets = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: 2 ** items.length }, (_, bits) => items.filter((_, index) => ((bits >> index) & 1) === 1))

/** Slots with the key at their end. */
const keyed = (slots: Slots): Partial<ControlDraft> => ({ slots: [...slots, KEY] })

const isMoved = (order: Slots, recipe: Slots): boolean =>
  recipe.some((slot) => order.filter((each) => each !== slot).join() === recipe.filter((each) => each !== slot).join())

const isSwapped = (order: Slots, recipe: Slots): boolean => recipe.filter((slot, at) => order[at] !== slot).length === 2

/** Slots of the recipe that have a value. */
const filled = ({ recipe, values }: ControlDraft): Slots => recipe.filter((slot) => (values[slot] ?? "") !== "")

/** Fields that any recipe has, and the amount as it is sent. Of names with one value, only the first counts. */
const recipeSlots = new Set<string>(Object.values(Control.recipes).flat())

/** Names of steps with the amount as it is sent and with a zero, which some old recipes have. */
const AMOUNT_AS_SENT = "amount as sent"
const MASKED_CARD = "masked card number"

/** Values of the draft that no recipe has and that may be signed nevertheless. An amount that is not signed is in hundredths. */
export const otherValues = (fields: ControlDraft["fields"]): Readonly<Record<string, string>> => {
  const { amount = "", credit_card_number: card = "" } = fields
  return {
    ...(/^\d+\.\d\d$/.test(amount) && { amount: amount.replace(".", "").replace(/^0+(?=\d)/, "") }),
    [AMOUNT_AS_SENT]: fields.amount ?? "",
    [MASKED_CARD]: card.length < 12 ? "" : card.slice(0, 6) + "*".repeat(card.length - 10) + card.slice(-4),
    zero: "0"
  }
}

/** Largest number of values in a text of {@link selections}. */
const MAX_SELECTED = 6
const MAX_SELECTIONS = 150_000

/** Returns all texts of some values of the request in some order. */
function* selections({ values }: ControlDraft): Generator<Variant<ControlDraft>> {
  const names = new Map<string, string>()
  for (const [slot, value] of Object.entries(values))
    if (value !== "" && (recipeSlots.has(slot) || slot === AMOUNT_AS_SENT || slot === "zero") && !names.has(value))
      names.set(value, slot)
  const slots = [...names.values()].filter((slot) => slot !== "status" && slot !== KEY)
  let made: ReadonlyArray<Slots> = [[]]
  let count = 0
  for (let length = 1; length <= Math.min(MAX_SELECTED, slots.length); length += 1) {
    made = made.flatMap((each) => slots.filter((slot) => !each.includes(slot)).map((slot) => [...each, slot]))
    for (const each of made) {
      count += 1
      if (count > MAX_SELECTIONS) return
      yield [`signed as ${each.join(", ")}`, keyed(each)]
    }
    if (made.length * slots.length > MAX_SELECTIONS) return
  }
}

export const controlPartMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  {
    id: "part-missing",
    description: "One of the values was left out, or more.",
    remedy: "Sign all values of the operation's recipe.",
    variants: (draft) => {
      const slots = filled(draft)
      return subsets(slots)
        .filter((kept) => kept.length < slots.length)
        .map((kept) => {
          const missing = slots.filter((slot) => !kept.includes(slot))
          const detail =
            kept.length === 0
              ? "all values are missing"
              : `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`
          return [detail, keyed(kept), missing.length === 1 ? 1 : RARE]
        })
    }
  },
  {
    id: "part-twice",
    description: "One of the values was signed twice.",
    remedy: "Sign each value of the operation's recipe once.",
    weight: RARE,
    variants: (draft) =>
      filled(draft).flatMap((slot) => {
        const index = draft.recipe.indexOf(slot)
        return Array.from(
          { length: draft.recipe.length - index },
          (_, after) =>
            [
              `${slot} also at place ${index + after + 2}`,
              keyed(draft.recipe.toSpliced(index + after + 1, 0, slot))
            ] as const
        )
      })
  },
  {
    id: "part-replaced",
    description: "Another field was signed in place of one of the values.",
    remedy: "Sign the values of the operation's recipe, each from the field of its name.",
    weight: RARE,
    variants: ({ recipe, values }) =>
      recipe.flatMap((slot, index) =>
        Object.entries(values).flatMap(
          ([name, value]): Variants =>
            value === "" || value === values[slot] || name === KEY || name === AMOUNT_AS_SENT || isOther(slot, name)
              ? []
              : [[`${name} in place of ${slot}`, keyed(recipe.with(index, name))]]
        )
      )
  },
  {
    id: "part-extra",
    description: "A value was signed that does not belong to this operation's control.",
    remedy: "Sign only the values of the operation's recipe.",
    variants: ({ recipe, values }) =>
      Object.entries(values).flatMap(
        ([name, value]): Variants =>
          value === "" || name === KEY || name === AMOUNT_AS_SENT || recipe.includes(name)
            ? []
            : Array.from({ length: recipe.length + 1 }, (_, index) => [
                `${name} at place ${index + 1}`,
                keyed(recipe.toSpliced(index, 0, name)),
                recipeSlots.has(name) ? 1 : RARE
              ])
      )
  },
  {
    id: "recipe-other",
    description: "The recipe of another operation was used.",
    remedy: "Each operation has a control of its own: look up the values and their order.",
    weight: USUAL + VAGUE,
    variants: ({ recipe: own, values }) => {
      const made = new Set([own.map((slot) => values[slot] ?? "").join("\n")])
      return Object.entries(Control.recipes).flatMap(([name, recipe]): Variants => {
        const text = recipe.map((slot) => values[slot] ?? "").join("\n")
        if (made.has(text)) return []
        made.add(text)
        return [[`the recipe of ${name}`, keyed(recipe)]]
      })
    }
  },
  {
    id: "parts-order",
    description: "The values were joined in another order.",
    remedy: "Join the values in the order of the operation's recipe.",
    variants: (draft) => {
      const slots = filled(draft)
      return permutations(slots).map((order) => [
        `signed as ${order.join(", ")}`,
        keyed(order),
        isMoved(order, slots) || isSwapped(order, slots) ? 1 : slots.length > 5 ? ALONE : RARE
      ])
    }
  },
  {
    id: "key-first",
    description: "The key was put before, between or on both sides of the values.",
    remedy: "The key comes last.",
    variants: ({ recipe }) => [
      ...recipe.map(
        (_, index): Variant<ControlDraft> => [
          index === 0 ? "the key first" : `the key at place ${index + 1}`,
          { slots: recipe.toSpliced(index, 0, KEY) }
        ]
      ),
      ["the key first and last", { slots: [KEY, ...recipe, KEY] }],
      ...recipe.map(
        (_, index): Variant<ControlDraft> => [
          `the key last and at place ${index + 1}`,
          { slots: [...recipe.toSpliced(index, 0, KEY), KEY] },
          RARE
        ]
      ),
      ["the key after each value", { slots: recipe.flatMap((slot) => [slot, KEY]) }, RARE]
    ]
  }
]

/** Whether one of two slots is the login and the other one the endpoint, of which a mistake of its own tells. */
const isOther = (slot: string, name: string): boolean =>
  (slot === "login" && name === "endpointId") || (slot === "endpointId" && name === "login")

/** What is tried if nothing else explains a control. */
export const unlikelyParts: ReadonlyArray<Mistake<ControlDraft>> = [
  {
    id: "parts-other",
    description: "Other values were joined than those of the recipe, or in another order.",
    remedy: "Sign the values of the operation's recipe in their order.",
    weight: LAST,
    variants: selections
  },
  {
    ...otherAmount,
    variants: function* (draft) {
      const { recipe, values } = draft
      for (const slot of recipe.filter((each) => each !== "amount" && each !== "currency" && each !== "email"))
        for (const [detail, text] of OtherValues.near(values[slot] ?? ""))
          yield [`${slot} ${detail}`, { values: { [slot]: text } }]
      if (recipe.includes("currency"))
        for (const currency of Intl.supportedValuesOf("currency"))
          yield [`the currency ${currency}`, { values: { currency } }]
      yield* otherAmount.variants(draft)
    }
  }
]
