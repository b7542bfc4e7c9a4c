/** The errors of a check that does not pass. */
import { Data } from "effect"

/** The gateway does something else than the clause requires. */
export class Violation extends Data.TaggedError("Violation")<{ readonly message: string }> {}

/** The gateway lacks something that the check requires, and no setting states it. */
export class Lacking extends Data.TaggedError("Lacking")<{ readonly message: string }> {}
