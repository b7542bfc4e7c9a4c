/** What people do wrong at a browser. */
export const habits = [
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
export type Habit = (typeof habits)[number]

/** Of a thousand occasions, on how many it is done. */
export type Mix = { readonly [H in Habit]?: number }
