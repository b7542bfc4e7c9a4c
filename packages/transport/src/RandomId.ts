/** The source of nonces and idempotency keys. Tests put a counter here. */
import { randomUUID } from "node:crypto"
import { Context } from "effect"

/** Every call gives a text that nobody has used before: at most 128 printable ASCII characters. */
export const RandomId = Context.Reference<() => string>("@pay/transport/RandomId", { defaultValue: () => randomUUID })
