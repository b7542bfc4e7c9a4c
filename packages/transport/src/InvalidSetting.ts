/** A setting that cannot be used. The error names the setting and never contains its value. */
import { Data } from "effect"

export class InvalidSetting extends Data.TaggedError("InvalidSetting")<{
  /** The name of the option, or of the environment variable. */
  readonly setting: string
  readonly problem: string
}> {
  override get message(): string {
    return `${this.setting} ${this.problem}`
  }
}

export const invalid = (setting: string, problem: string): InvalidSetting => new InvalidSetting({ setting, problem })
