/** What people do wrong at a browser. */
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

/** The number of occasions out of a thousand on which each habit is done. */
export type Mix = { readonly [H in Behaviour]?: number }
