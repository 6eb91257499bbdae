import type { Log } from '@pc/platform/log.ts'

/** After this time the process exits without waiting any longer. */
const STOP_TIMEOUT_MS = 20_000
/**
 * A service manager signals every process and the launcher forwards its own signal: two signals within this time are
 * one request.
 */
const SAME_REQUEST_MS = 2_000

/**
 * Stops the server on a signal, or when its parent process is gone. A later second signal exits at once. An uncaught
 * error also stops it, because the state is unknown.
 */
export function stopOnSignals(stop: () => Promise<void>, log: Log): void {
  let stoppingSince: number | undefined
  const end = (why: string, exitCode: number) => {
    if (stoppingSince !== undefined) {
      if (why.startsWith('SIG') && performance.now() - stoppingSince > SAME_REQUEST_MS) process.exit(130)
      return
    }
    stoppingSince = performance.now()
    log.info({ why }, 'stopping')
    setTimeout(() => {
      log.error('the stop took too long and was given up')
      process.exit(1)
    }, STOP_TIMEOUT_MS).unref()
    void stop().finally(() => process.exit(exitCode))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal, 0))
  if (process.channel) process.on('disconnect', () => end('the starting process is gone', 0))
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'uncaught fault')
    end('uncaught fault', 1)
  })
  process.on('unhandledRejection', error => {
    log.fatal({ err: error }, 'unhandled rejection')
    end('unhandled rejection', 1)
  })
}
