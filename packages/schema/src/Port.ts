/** The port of a server as a setting. A server that listens on port 0 takes a free port. */
import { Config, ConfigProvider, Effect, Schema } from "effect"

/** What a port must be, for messages. */
export const expected = "a whole number from 0 to 65535"

const message = `must be ${expected}`

export const Port = Schema.Number.annotate({ message }).check(
  Schema.isInt({ message }),
  Schema.isBetween({ minimum: 0, maximum: 65_535 }, { message })
)

/** Whether a server can listen on the port. */
export const isPort = Schema.is(Port)

/** Returns the port that decimal digits stand for, or `undefined` if they stand for none. */
export const parse = (text: string): number | undefined => {
  const port = /^\d+$/.test(text) ? Number(text) : undefined
  return isPort(port) ? port : undefined
}

/** The value of a variable is not a port. */
class NotPort extends ConfigProvider.SourceError {
  override toString(): string {
    return this.message
  }
}

/** Reads a port from an environment variable. The default counts if the variable is not set or empty. */
export const config = (variable: string, fallback: number): Config.Config<number> =>
  Config.String(variable).pipe(
    Config.withDefault(""),
    Config.mapEffect((text) => {
      const port = text === "" ? fallback : parse(text)
      return port === undefined
        ? Effect.fail(new Config.ConfigError(new NotPort({ message: `${variable} ${message}` })))
        : Effect.succeed(port)
    })
  )
