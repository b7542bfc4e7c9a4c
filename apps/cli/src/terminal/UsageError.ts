/** An error of the command line or of a setting. The message says what to do, and never repeats a value that was given. */
export class UsageError extends Error {
  override readonly name = "UsageError"
  /** The page of `pay help` that explains the command. */
  readonly topic: string | undefined

  constructor(message: string, topic?: string) {
    super(message)
    this.topic = topic
  }
}
