/** Mistakes and dishonest behaviour of customers at their browsers. */
export const behaviours = [
  "submitsTwice",
  "goesBack",
  "paysInTwoTabs",
  "reloads",
  "closesWindow",
  "givesUp",
  "goesAway",
  "cancels",
  "paysWithBadCard",
  "mistypes",
  "mistakesPassword",
  "forgesResult",
  "bringsResultTwice",
  "bringsResultLate",
  "comesBackEarly"
] as const
export type Behaviour = (typeof behaviours)[number]

/** The probability of each behaviour, in thousandths of the occasions. */
export type BehaviourMix = { readonly [H in Behaviour]?: number }
