import type { Config } from '@pc/platform/config.ts'
import type { Database } from '@pc/platform/postgres/database.ts'

type Body = Readonly<Record<string, unknown>>
interface Parts {
  readonly config: Config
  readonly database: Database
}

/**
 * What an operator's command does with the database alone, by its address at the control socket. With DATABASE_URL the
 * command does it itself (`commands/run-operator-command.ts`).
 */
export const OPERATOR_COMMANDS = {
  '/first-admin': async ({ config, database }: Parts, body: Body) => {
    const { firstAdminByCommand } = await import('@pc/features/sign-in/server/first-admin-command.ts')
    const { webOrigin, oidcIssuer, isOidcEmbedded } = config
    return firstAdminByCommand({ database, webOrigin, externalIssuer: isOidcEmbedded ? undefined : oidcIssuer }, body)
  },
  '/reset-limits': async ({ database }: Parts, { of }: Body) => {
    const { resetLimitsByCommand } = await import('@pc/features/sign-in/server/reset-limits-command.ts')
    return resetLimitsByCommand(database, of)
  },
} as const

/** The commands for the control socket of a running system. */
export function operatorRoutes(parts: Parts) {
  return Object.fromEntries(
    Object.entries(OPERATOR_COMMANDS).map(([address, run]) => [address, (body: Body) => run(parts, body)]),
  )
}
