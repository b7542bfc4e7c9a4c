/** A setting that makes no sense. Names it, and never repeats its value. */
import { Data } from "effect"

export class InvalidSetting extends Data.TaggedError("InvalidSetting")<{
  /** The option, or the environment variable. */
  readonly setting: string
  readonly problem: string
}> {
  override get message(): string {
    return `${this.setting} ${this.problem}`
  }
}

export const invalid = (setting: string, problem: string): InvalidSetting => new InvalidSetting({ setting, problem })
