/** The lowest level that a process logs. It changes while the process runs: every logger asks for it at each line. */
import { Context, Effect, Layer, Logger, LogLevel, References } from "effect"

/** The levels of the configuration and of operators, by the names that Effect has for them. */
export const levels = { debug: "Debug", info: "Info", warning: "Warn", error: "Error" } as const
export type Level = keyof typeof levels

const nameOf = (level: LogLevel.LogLevel): Level | "none" => {
  if (LogLevel.isGreaterThan(level, "Error")) return "none"
  if (level === "Error") return "error"
  return level === "Warn" ? "warning" : level === "Info" ? "info" : "debug"
}

export class LogThreshold extends Context.Service<
  LogThreshold,
  {
    readonly level: () => Level | "none"
    /** Sets the level. Returns the one before. */
    readonly set: (level: Level) => Level | "none"
  }
>()("@pay/gateway/LogThreshold") {}

/** Begins with this level, by default that around the layer. What the gateway inside of it logs goes to the loggers around it. */
export const layer = (first: LogLevel.LogLevel | undefined): Layer.Layer<LogThreshold> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const loggers = yield* Logger.CurrentLoggers
      let current = first ?? (yield* References.MinimumLogLevel)
      const limited = [...loggers].map((logger) =>
        Logger.make((line: Logger.Options<unknown>) => {
          if (LogLevel.isGreaterThanOrEqualTo(line.logLevel, current)) logger.log(line)
        })
      )
      return Context.make(LogThreshold, {
        level: () => nameOf(current),
        set: (level) => {
          const before = nameOf(current)
          current = levels[level]
          return before
        }
      }).pipe(Context.add(Logger.CurrentLoggers, new Set(limited)), Context.add(References.MinimumLogLevel, "Trace"))
    })
  )
