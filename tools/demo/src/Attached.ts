/** Loaded before a program: stops it with SIGTERM when the process that started it has ended, even if that process was killed. */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
process.channel?.unref()
