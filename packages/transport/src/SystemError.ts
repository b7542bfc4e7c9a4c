/** The error of the operating system inside the errors of an HTTP client. */

/** The code of an error of the operating system, and the system call that failed. */
export interface SystemError {
  readonly code: string
  readonly syscall: string | undefined
}

/** Returns the error of the operating system. Clients wrap it in their own errors, often more than once. */
export const systemError = (error: unknown, depth = 0): SystemError | undefined => {
  if (typeof error !== "object" || error === null || depth > 4) return undefined
  if ("code" in error && typeof error.code === "string") {
    return {
      code: error.code,
      syscall: "syscall" in error && typeof error.syscall === "string" ? error.syscall : undefined
    }
  }
  return "cause" in error ? systemError(error.cause, depth + 1) : undefined
}

/** Whether the error proves that no byte was sent: the name could not be resolved, or no connection was made. */
export const isBeforeSending = (error: SystemError | undefined): boolean =>
  error?.syscall === "connect" ||
  error?.syscall?.startsWith("getaddrinfo") === true ||
  error?.code === "UND_ERR_CONNECT_TIMEOUT"
