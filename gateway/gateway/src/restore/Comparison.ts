/** What the comparison of a held job with bank and rail says. */
import type * as Decision from "../kernel/Decision.ts"
import type * as Inquiry from "../orders/decide/Inquiry.ts"
import type * as Unclear from "./Unclear.ts"

/** What a held job becomes. */
export type Comparison =
  /** The copy lacks nothing of it: it runs when it is due. */
  | { readonly _tag: "Same" }
  /** It runs now and stays held, because the copy may lack what follows. */
  | { readonly _tag: "Runs" }
  /** The order goes on as the decision says. `staysHeld`: what follows is compared again. */
  | { readonly _tag: "Becomes"; readonly decision: Decision.Decision; readonly staysHeld?: boolean }
  /** The comparison has committed what follows, and the job stays held. */
  | { readonly _tag: "Done" }
  /** Its request ends with the answer. */
  | { readonly _tag: "Answered"; readonly answer: Inquiry.Answer }
  /** Bank or rail cannot say yet what became of this request. */
  | ({ readonly _tag: "Unclear" } & Unclear.Question)
