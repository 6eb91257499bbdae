import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { askRunningServer, Failure } from './call-running-server.ts'
import { printFailure, UsageError } from './print-failure.ts'

// What it refuses is tested by `apps/server/commands/refused-usage.test.ts`.
const USAGE = 'Usage: npm run -s token -- --email <address of a user>'

/** Errors whose message is for the person at the terminal. */
const isExpected = (error: Error & { code?: string }) => error instanceof Failure || error instanceof ConfigError

/**
 * Prints only an ID token, valid for ten minutes, from the running system; for scripts and load tests. Errors go to
 * stderr.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' } }, strict: true })
  if (!values.email) throw new UsageError()
  const { token } = await askRunningServer(readConfig(process.env).dataDir, '/token', { email: values.email })
  process.stdout.write(`${token}\n`)
}

main().catch((error: Error) => {
  process.exitCode = printFailure(error, USAGE, isExpected)
})
