import { Data } from "effect"

/** The address is in use, or must not be used. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}
