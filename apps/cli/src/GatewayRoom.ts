import type { ExitCode } from "./ExitCode.ts"
export const run = async (_args: ReadonlyArray<string>): Promise<ExitCode> => 70
