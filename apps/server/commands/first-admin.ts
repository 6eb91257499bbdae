import { parseArgs } from 'node:util'
import { firstAdminByCommand } from '@pc/features/sign-in/server/first-admin-command.ts'
import { type Config, ConfigError, readConfig } from '@pc/platform/config.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { askRunningServer, Failure } from './call-running-server.ts'
import { printFailure, UsageError } from './print-failure.ts'

/**
 * `npm run first-admin -- --email <address>`: prints a one-time link for the first administrator and voids the previous
 * link. Refused as soon as an administrator can sign in. `--reset-second-factor` removes the lost second factors of an
 * administrator, `--issuer-subject <sub>` binds an account of the external issuer at once. Works on DATABASE_URL, or on
 * the running system of DATA_DIR.
 */
const USAGE = `Usage: npm run first-admin -- --email <address> [--issuer-subject <sub of the account at OIDC_ISSUER>]
       npm run first-admin -- --email <address> --reset-second-factor`

type Request = { readonly email: string; readonly issuerSubject?: string; readonly resetSecondFactor?: boolean }

async function askDatabase(config: Config, url: string, request: Request): Promise<Readonly<Record<string, unknown>>> {
  const database = openDatabase({ url, maxConnections: 1 })
  try {
    const externalIssuer = config.isOidcEmbedded ? undefined : config.oidcIssuer
    const { webOrigin } = config
    const { status, body } = await firstAdminByCommand({ database, webOrigin, externalIssuer }, request)
    if (status !== 200) throw new Failure('message' in body ? body.message : `status ${status}`)
    return body as Readonly<Record<string, unknown>>
  } finally {
    await database.close()
  }
}

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
  const answer =
    config.databaseUrl === undefined
      ? await askRunningServer(config.dataDir, '/first-admin', request)
      : await askDatabase(config, config.databaseUrl, request)
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
