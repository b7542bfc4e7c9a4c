/** The source of nonces and idempotency keys. It is public so that tests can replace it by a counter. */
import { randomUUID } from "node:crypto"
import { Context } from "effect"

/** Every call returns a text that was never used before: at most 128 printable ASCII characters. */
export const RandomId = Context.Reference<() => string>("@pay/transport/RandomId", { defaultValue: () => randomUUID })
