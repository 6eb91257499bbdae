import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { askRunningServer, Failure } from './call-running-server.ts'

/**
 * `npm run -s token -- --email <user>`: an ID token of ten minutes from the running system, for scripts and load tests.
 * Prints nothing but the token; whatever goes wrong is said on stderr.
 */
const USAGE = 'Usage: npm run -s token -- --email <address of a user>'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' } }, strict: true })
  if (!values.email) throw new Failure(USAGE)
  const { token } = await askRunningServer(readConfig(process.env).dataDir, '/token', { email: values.email })
  process.stdout.write(`${token}\n`)
}

main().catch((error: Error & { code?: string }) => {
  const isUsage = error.code?.startsWith('ERR_PARSE_ARGS')
  const isExpected = error instanceof Failure || error instanceof ConfigError
  console.error(isUsage ? `${error.message}\n${USAGE}` : isExpected ? error.message : error)
  process.exitCode = 1
})
