/** How a check ends if it does not pass. */
import { Data } from "effect"

/** The gateway did something else than the clause says. */
export class Violation extends Data.TaggedError("Violation")<{ readonly message: string }> {}

/** The gateway turned out to lack something that no setting tells. */
export class Lacking extends Data.TaggedError("Lacking")<{ readonly message: string }> {}
