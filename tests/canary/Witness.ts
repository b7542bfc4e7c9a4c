/** Keeps all that a gateway writes, says and sends, so that it can be searched. */
import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { inspect } from "node:util"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Cause, Context, Effect, Layer, Logger, Redacted, References, Tracer } from "effect"
import { request } from "undici"
import { serve } from "../../packages/schema/test/Loopback.ts"
import type { Reply } from "../harness/TestGateway.ts"
import { controlKey, type Haystack } from "./Marks.ts"

export class Witness extends Context.Service<
  Witness,
  {
    /** A merchant's address that takes every callback. */
    readonly url: string
    readonly add: (name: string, text: string) => void
    readonly kept: () => ReadonlyArray<Haystack>
  }
>()("tests/canary/Witness") {}

/** Everything that a value can be made to say. */
export const spoken = (value: unknown): string =>
  [
    inspect(value, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null }),
    value instanceof Error ? `${value.name} ${value.message} ${value.stack}` : String(value),
    JSON.stringify(value)
  ].join("\n")

export const layer = Layer.effect(
  Witness,
  Effect.gen(function* () {
    const kept = new Map<string, Array<string>>()
    const add = (name: string, text: string) => {
      kept.set(name, [...(kept.get(name) ?? []), text])
    }
    const port = yield* serve(({ headers, url = "" }, response) => {
      add("callbacks", `${url}\n${JSON.stringify(headers)}`)
      response.writeHead(200).end()
    })
    return {
      url: `http://127.0.0.1:${port}/callback`,
      add,
      kept: () => [...kept].map(([name, texts]) => ({ name, bytes: Buffer.from(texts.join("\n")) }))
    }
  })
)

/** Sends the request, and keeps its answer, whatever it says. */
export const kept = <E, R>(reply: Effect.Effect<Reply, E, R>) =>
  Effect.tap(reply, ({ body, headers, status }) =>
    Effect.map(Witness, ({ add }) => add("answers", JSON.stringify([status, headers, body])))
  )

/** Logs at every level and spans with all they carry: to be provided to a whole gateway and its client. */
export const listenersTo = (add: Witness["Service"]["add"]) => {
  const logger = Logger.make((options) => {
    const { cause, message } = options
    add("logs", `${spoken(message)}\n${Cause.pretty(cause)}\n${spoken(cause)}\n${Logger.formatJson.log(options)}`)
  })
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      span.end = (endTime, exit) => {
        const { events, name } = span
        add("spans", spoken({ name, attributes: [...span.attributes], events, exit }))
        end(endTime, exit)
      }
      return span
    }
  })
  return Layer.mergeAll(
    Logger.layer([logger]),
    Layer.succeed(References.MinimumLogLevel, "Trace"),
    Layer.succeed(Tracer.Tracer, tracer)
  )
}

const listeners = Layer.unwrap(Effect.map(Witness, ({ add }) => listenersTo(add)))

const merchants = Sandbox.merchants.slice(0, 1).map((merchant) => ({
  ...merchant,
  controlKeys: [Redacted.make(controlKey)] as const
}))

/** Runs a gateway on the folder, whose merchant has the marked key, and records everything that it shows. */
export const gateway = (dataDirectory: string, settings: Sandbox.Options["settings"] = {}) =>
  Sandbox.layer({ dataDirectory, port: 0, merchants, settings }).pipe(Layer.provideMerge(listeners))

/** Every file of the folder as it lies there, and every row of the database as it can be read. */
export const folder = (path: string): Effect.Effect<ReadonlyArray<Haystack>> =>
  Effect.promise(async () => {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const raw = await Promise.all(
      files.map(async (file) => ({ name: relative(path, file), bytes: await readFile(file) }))
    )
    return [...raw, ...rows(join(path, "gateway.db"))]
  })

const rows = (file: string): ReadonlyArray<Haystack> => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => ({
        name: `table ${String(name)}`,
        bytes: Buffer.concat(
          database
            .prepare(`SELECT * FROM "${String(name)}"`)
            .all()
            .flatMap((row) => Object.values(row))
            .flatMap((value) => [value instanceof Uint8Array ? value : Buffer.from(String(value)), Buffer.from("\n")])
        )
      }))
  } finally {
    database.close()
  }
}

/** What the operator's numbers say now. */
export const metrics = Effect.gen(function* () {
  const { operatorUrl } = yield* NodeServer
  const bytes = yield* Effect.promise(async () => {
    const { body } = await request(`${operatorUrl}/metrics`)
    return Buffer.from(await body.bytes())
  })
  return { name: "metrics", bytes } satisfies Haystack
})
