/** Loaded before a program: it ends in good order when whoever started it is gone, even if that was killed. */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
process.channel?.unref()
