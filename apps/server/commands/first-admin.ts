import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { Failure } from './call-running-server.ts'
import { printFailure, UsageError } from './print-failure.ts'
import { runOperatorCommand } from './run-operator-command.ts'

/**
 * `npm run first-admin -- --email <address>`: prints a one-time link for the first administrator and voids the previous
 * link. Refused as soon as an administrator can sign in. `--reset-second-factor` removes the lost second factors of an
 * administrator, `--issuer-subject <sub>` binds an account of the external issuer at once. Works on DATABASE_URL, or on
 * the running system of DATA_DIR.
 */
const USAGE = `Usage: npm run first-admin -- --email <address> [--issuer-subject <sub of the account at OIDC_ISSUER>]
       npm run first-admin -- --email <address> --reset-second-factor`

/** Errors whose message is for the person at the terminal. */
const isExpected = (error: Error & { code?: string }) => error instanceof Failure || error instanceof ConfigError

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      'issuer-subject': { type: 'string' },
      'reset-second-factor': { type: 'boolean', default: false },
    },
    strict: true,
  })
  const { email, 'issuer-subject': issuerSubject, 'reset-second-factor': resetSecondFactor } = values
  if (!email) throw new UsageError()
  const request = { email, resetSecondFactor, ...(issuerSubject === undefined ? {} : { issuerSubject }) }
  const config = readConfig(process.env)
  const answer = await runOperatorCommand(config, '/first-admin', request)
  if (typeof answer.reset === 'string')
    return console.log(`${answer.reset} has no second factor any more, and signs in with the password to set one up.`)
  console.log(
    typeof answer.link === 'string'
      ? `Open this link within 24 hours; it works once:\n${answer.link}`
      : `${answer.bound} is an administrator now, and signs in at ${config.oidcIssuer}.`,
  )
}

main().catch((error: Error) => {
  process.exitCode = printFailure(error, USAGE, isExpected)
})
