import type { Log } from '@pc/platform/log.ts'

/** A stop that takes longer than this is given up: whoever asked for it must not wait for ever. */
const STOP_TIMEOUT_MS = 20_000

/**
 * Stops once when asked to: by a signal, or because the process that started this one is gone. A second signal ends
 * at once. A fault that nobody caught stops as well, since the state is unknown then.
 */
export function stopOnSignals(stop: () => Promise<void>, log: Log): void {
  let isStopping = false
  const end = (why: string, exitCode: number) => {
    if (isStopping) {
      if (why.startsWith('SIG')) process.exit(exitCode === 0 ? 130 : exitCode)
      return
    }
    isStopping = true
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
