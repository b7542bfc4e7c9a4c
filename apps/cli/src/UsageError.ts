/** The command line or a setting is wrong. The message says what to do, and never repeats a value that was given. */
export class UsageError extends Error {
  override readonly name = "UsageError"
  /** What to read: `pay help …`. */
  readonly topic: string | undefined

  constructor(message: string, topic?: string) {
    super(message)
    this.topic = topic
  }
}
