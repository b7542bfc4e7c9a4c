/** A callback sender for loopback addresses, with a scripted name server. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { CallbackSender } from "../../src/callbacks/CallbackSender.ts"
import * as CallbackSenderUndici from "../../src/callbacks/CallbackSenderUndici.ts"
import * as AddressPolicy from "../../src/network/AddressPolicy.ts"
import { NameResolver, NotResolved } from "../../src/network/NameResolver.ts"

/** `127.0.0.1` stands for the public internet, `127.0.0.2` for a host behind the firewall. */
const policy = Result.getOrThrow(
  AddressPolicy.make({ allowRanges: ["127.0.0.1/32"], anyPortRanges: ["127.0.0.0/8", "::1/128"] })
)

/** Answers each question for `shop.test` with the next list of addresses, and no other name. */
export const names = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  let requestCount = 0
  const layer = Layer.succeed(NameResolver, {
    resolve: (name) => {
      const answer = name.startsWith("shop.test") ? answers[Math.min(requestCount, answers.length - 1)] : undefined
      requestCount += 1
      return answer === undefined ? Effect.fail(new NotResolved({ message: "ENOTFOUND" })) : Effect.succeed(answer)
    }
  })
  return { layer, requestCount: () => requestCount }
}

export const sender = (options: Partial<CallbackSenderUndici.Options> = {}, resolver = names(["127.0.0.1"])) =>
  Layer.provide(CallbackSenderUndici.layer({ policy, ...options }), resolver.layer)

export const send = (url: string, headers: Record<string, string> = {}) =>
  Effect.flatMap(CallbackSender, (callbacks) => callbacks.send({ url, headers }))

export const statusOf = (url: string) => Effect.map(send(url), ({ status }) => status)

/** Returns why a callback failed. Every reason must fit the delivery log. */
export const reasonOf = (url: string) =>
  Effect.map(Effect.flip(send(url)), (failure) => {
    assert.match(failure.message, /^[\x20-\x7e]{1,120}$/)
    return `${failure.reason._tag}: ${failure.message}`
  })
