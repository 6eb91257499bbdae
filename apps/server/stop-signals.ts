import type { Log } from '@pc/platform/log.ts'

/** A stop that takes longer than this is given up: nobody should wait for it for ever. */
const STOP_TIMEOUT_MS = 20_000
/** A service manager signals every process, and the launcher passes its own on: within this time it is the same request. */
const SAME_REQUEST_MS = 2_000

/**
 * Stops once when asked to: by a signal, or because the process that started this one is gone. A second signal, sent
 * later, exits at once. An uncaught fault stops as well, because the state is unknown then.
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
