import { isIP } from 'node:net'
import { recordChange, systemActor } from '@pc/platform/audit/record-change.ts'
import { networkOf } from '@pc/platform/http/client-address.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { normalizedEmail } from '@pc/platform/oidc/session-check.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { forgetAttemptsOf } from './attempt-limit.ts'

interface ResetLimitsAnswer {
  readonly status: 200 | 400
  readonly body: { readonly of: string; readonly attempts: number } | { readonly message: string }
}

const WHOSE = 'Whose? An email address, or a network address as the reverse proxy sees it.'

/**
 * `npm run reset-limits`: for an operator, when a person or an office has used up its attempts and cannot wait 15 minutes.
 * Attempts of a browser that signed in before are counted apart and stay.
 * Tested by `features/sign-in/server/sign-in-limits.test.ts`.
 */
export async function resetLimitsByCommand(database: Database, given: unknown): Promise<ResetLimitsAnswer> {
  const text = typeof given === 'string' ? given.trim().replace(/\/64$/, '') : ''
  const email = isIP(text) ? undefined : mailAddress(text)
  if (!isIP(text) && !email) return { status: 400, body: { message: WHOSE } }
  const of = email ? normalizedEmail(email) : networkOf(text)
  return database.inScope(SYSTEM, async tx => {
    // Codes are counted by uid, passwords and links by the address as typed.
    const known = await sql<{ uid: string }>`select uid::text as uid from users where email = ${of}`.execute(tx)
    const attempts = await forgetAttemptsOf(tx, [of, ...known.rows.map(({ uid }) => uid)])
    const row = { resource: 'iam:user.', rowId: known.rows[0]?.uid ?? of } as const
    await recordChange(tx, systemActor('command'), {
      action: 'reset-limits',
      ...row,
      before: { attempts },
      after: null,
    })
    return { status: 200, body: { of, attempts } }
  })
}
