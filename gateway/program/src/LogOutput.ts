/**
 * Writes the log to standard output, and goes on when that fails: when the reader of a pipe has ended (EPIPE) or does not read, or when the
 * disk of a file is full (ENOSPC). Lines that cannot be written are dropped and counted. The first line that can be written again follows
 * one that says how many were lost.
 */
import { fstatSync, writeSync } from "node:fs"
import { hostname } from "node:os"
import { isatty } from "node:tty"
import * as MaskedLog from "@pay/server/MaskedLog"
import { Logger, Metric } from "effect"
import manifest from "../package.json" with { type: "json" }

const lostLines = Metric.counter("pay_log_lines_lost_total", {
  description: "Lines of the log that could not be written",
  incremental: true
})

/** Bytes that wait for the reader of a pipe, at most. */
const mostWaiting = 4 * 1024 * 1024

/** Writes a text. Returns false if it is dropped. `onLost` is called if it turns out later that it could not be written. */
type Write = (text: string, onLost: () => void) => boolean

const toStream =
  (stream: NodeJS.WriteStream): Write =>
  (text, onLost) => {
    if (stream.writableLength > mostWaiting) return false
    stream.write(text, (error) => {
      if (error) onLost()
    })
    return true
  }

/** Writes to a file by itself, because the stream of Node ends for ever with the first failure. */
const toFile = (fd: number): Write => {
  let isLineOpen = false
  return (text) => {
    const bytes = Buffer.from(isLineOpen ? `\n${text}` : text)
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written)
      isLineOpen = false
      return true
    } catch {
      isLineOpen ||= written > 0
      return false
    }
  }
}

/** Whether Node writes to the descriptor without waiting for a reader. */
const isStream = (fd: number): boolean => {
  const stat = fstatSync(fd)
  return isatty(fd) || stat.isFIFO() || stat.isSocket()
}

/** The logger of a program. It also takes the failures of both outputs, which would otherwise end the process. */
export const make = (): Logger.Logger<unknown, void> => {
  const { stderr, stdout } = process
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined)
  const write = isStream(stdout.fd) ? toStream(stdout) : toFile(stdout.fd)
  const format = MaskedLog.json({ process: `${hostname()}:${process.pid}`, version: manifest.version })
  let lost = 0
  return Logger.make((options) => {
    const onLost = () => {
      lost += 1
      lostLines.updateUnsafe(1, options.fiber.context)
    }
    const line = (changes: Partial<Logger.Options<unknown>> = {}) => `${format.log({ ...options, ...changes })}\n`
    const before = lost
    const notice = before === 0 ? "" : line({ message: [`${before} lines of the log were lost`], logLevel: "Warn" })
    if (write(notice + line(), onLost)) lost -= before
    else onLost()
  })
}
