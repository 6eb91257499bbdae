import type { AuditAction } from '@pc/domain/access/audit-action-labels.ja.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { readSecondFactorDue } from '@pc/platform/oidc/second-factor-due.ts'
import { endSession, endSessionsOf } from '@pc/platform/oidc/session-rows.ts'
import { hasRecentStepUp, listSessions } from '@pc/platform/oidc/session-uses.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { KeptSecret } from '@pc/platform/secrets/secrets-at-rest.ts'
import { sql } from 'kysely'
import { PASSWORD_MAX_LENGTH } from '../refusals.ts'
import type { SecurityInfo, SessionEntry } from '../session-info.ts'
import { confirmEmailChange, requestEmailChange } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { makeLink, readLink, useLink } from './one-time-link.ts'
import { addPasskey, passkeyHost, registrationOptions } from './passkeys.ts'
import { passwordNotice } from './reset-password.ts'
import {
  factorNotice,
  hasAny,
  readFactors,
  removeFactor,
  replaceRecoveryCodes,
  secondFactorsOf,
} from './second-factor.ts'
import {
  type Answer,
  type Asking,
  atEmbedded,
  auditAccount,
  type Call,
  type Endpoint,
  forPerson,
  refuse,
  text,
} from './sign-in-call.ts'
import { stepUp, stepUpOptions, stepUpWays } from './step-up.ts'
import { base32, newTotpSecret, stepOfCode, totpUri } from './totp.ts'
import { keepSeed, openSeed } from './totp-seed.ts'

/** How long a started setup of an authenticator app can be confirmed. */
const SETUP_SECONDS = 900

const changePass = forPerson(async ({ options, input, address }, person) => {
  const changed = await changePassword(options.database, options.clock, person, {
    currentPassword: text(input, 'currentPassword'),
    newPassword: text(input, 'newPassword').slice(0, 2 * PASSWORD_MAX_LENGTH + 1),
  })
  if (!changed.ok) return refuse(...changed.refusals)
  await options.database.inScope(SYSTEM, async tx => {
    await auditAccount(tx, address, { uid: person.uid, action: 'change-password', isAuthenticated: true })
    await options.emails.send(tx, passwordNotice(person.email))
  })
  return { body: {} }
})

const confirmEmail = atEmbedded(async ({ options, input, address }) => {
  const changed = await confirmEmailChange(options, text(input, 'secret'), address)
  return changed.ok ? { body: changed.value } : refuse(...changed.refusals)
})

const sessions = forPerson(async ({ options }, person) => {
  const listed = await listSessions(options.database, person.uid)
  const nodes = listed.map(
    (one): SessionEntry => ({
      id: one.sessionUid,
      isCurrent: one.sessionUid === person.sessionUid,
      device: one.device,
      address: one.address,
      startedAt: one.startedAt.toISOString(),
      lastUsedAt: one.lastUsedAt.toISOString(),
    }),
  )
  return { body: { nodes } }
})

const endOneSession = forPerson(async ({ options, input, address }, person) => {
  const id = text(input, 'id')
  await options.database.inScope(SYSTEM, async tx => {
    const own = await sql`select 1 from idp_payloads where model = 'Session' and session_uid = ${id}
      and account_id = ${person.uid}`.execute(tx)
    if (own.rows.length === 0) return
    await endSession(tx, id)
    await auditAccount(tx, address, { uid: person.uid, action: 'end-session', isAuthenticated: true })
  })
  return { body: {} }
})

const endAllSessions = forPerson(async ({ options, req, res, address }, person) => {
  await options.database.inScope(SYSTEM, async tx => {
    await endSessionsOf(tx, person.uid)
    await auditAccount(tx, address, { uid: person.uid, action: 'end-all-sessions', isAuthenticated: true })
  })
  await options.issuer?.endBrowserSession(req, res)
  return { body: {} }
})

const security = forPerson(async ({ options }, person) => {
  const factors = await secondFactorsOf(options.database, person.uid)
  const info: SecurityInfo = {
    email: person.email,
    hasTotp: factors.hasTotp,
    passkeys: factors.passkeys.map(({ id, label, createdAt, lastUsedAt }) => ({
      id,
      label,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: factors.recoveryCodesLeft,
    canHavePasskeys: passkeyHost(options.webOrigin) !== undefined,
    ...stepUpWays(options.webOrigin, factors),
    secondFactorDueAt: (await readSecondFactorDue(options.database, person.uid))?.toISOString() ?? null,
    needsStepUp: !(await hasRecentStepUp(options.database, person)),
  }
  return { body: info }
})

/** An endpoint that changes what protects the account: it needs a recent step-up. */
function afterStepUp(work: (call: Call, person: Asking) => Promise<Answer>): Endpoint {
  return forPerson(async (call, person) =>
    (await hasRecentStepUp(call.options.database, person))
      ? work(call, person)
      : refuse(refusal('sign-in/step-up-needed')),
  )
}

const changeEmail = afterStepUp(async ({ options, input, address }, person) => {
  const requested = await requestEmailChange(options, person, text(input, 'email'))
  if (!requested.ok) return refuse(...requested.refusals)
  await options.database.inScope(SYSTEM, tx =>
    auditAccount(tx, address, { uid: person.uid, action: 'ask-for-new-email', isAuthenticated: true }),
  )
  return { body: {} }
})

const startTotp = afterStepUp(async ({ options }, person) => {
  const { atRest, clock, database } = options
  if (!atRest.keyring) return refuse(refusal('sign-in/no-secrets-key'))
  const secret = newTotpSecret()
  const ticket = await database.inScope(SYSTEM, async tx => {
    const { clear, sealed } = await keepSeed(tx, atRest, person.uid, secret, clock.now())
    const kept = clear === null ? { sealed } : { secret: clear }
    return makeLink(tx, 'TotpSetup', { accountId: person.uid, ...kept }, SETUP_SECONDS)
  })
  return { body: { ticket, secret: base32(secret), uri: totpUri(secret, person.email) } }
})

const confirmTotp = afterStepUp(async (call, person) => {
  const { options, input, address } = call
  const { database, clock, atRest } = options
  const ticket = text(input, 'ticket')
  const setup = await database.inScope(SYSTEM, tx => readLink(tx, 'TotpSetup', ticket))
  const kept = setup && keptSetup(setup)
  if (setup?.accountId !== person.uid || !kept) return refuse(refusal('sign-in/request-expired'))
  const secret = openSeed(atRest, person.uid, kept)
  const step = stepOfCode(secret, text(input, 'code'), clock.now(), null)
  if (step === undefined) return refuse(refusal('sign-in/code-wrong', ['code']))
  const codes = await database.inScope(SYSTEM, async tx => {
    if (!(await useLink(tx, 'TotpSetup', ticket))) return undefined
    await sql`delete from idp_authenticators where uid = ${person.uid}::uuid and kind = 'totp'`.execute(tx)
    const { clear, sealed } = await keepSeed(tx, atRest, person.uid, secret, clock.now())
    await sql`insert into idp_authenticators (uid, kind, label, totp_secret, sealed_totp_secret, totp_last_step)
      values (${person.uid}::uuid, 'totp', 'アプリ', ${clear === null ? null : secret}, ${sealed}, ${step})`.execute(tx)
    await auditFactor(tx, address, person, 'add-second-factor', 'totp')
    await notifyFactor(tx, call, person, '認証アプリによる2段階認証が有効になりました。')
    return firstCodes(tx, person.uid)
  })
  if (codes === undefined) return refuse(refusal('sign-in/request-expired'))
  return { body: { recoveryCodes: codes } }
})

/** Rows of earlier versions hold the secret unsealed. */
function keptSetup({ secret, sealed }: Readonly<Record<string, string>>): KeptSecret | undefined {
  if (secret !== undefined) return { clear: secret, sealed: null }
  return sealed === undefined ? undefined : { clear: null, sealed }
}

/** Recovery codes are shown with the first factor; later only on request. */
async function firstCodes(tx: Transaction, uid: string): Promise<readonly string[]> {
  return (await readFactors(tx, uid)).recoveryCodesLeft > 0 ? [] : replaceRecoveryCodes(tx, uid)
}

const removeTotp = afterStepUp(async (call, person) => {
  await call.options.database.inScope(SYSTEM, async tx => {
    if (await removeFactor(tx, person.uid, 'totp'))
      await auditFactor(tx, call.address, person, 'remove-second-factor', 'totp')
    await notifyFactor(tx, call, person, '認証アプリによる2段階認証が解除されました。')
  })
  return { body: {} }
})

const newRecoveryCodes = afterStepUp(async (call, person) => {
  const codes = await call.options.database.inScope(SYSTEM, async tx => {
    if (!hasAny(await readFactors(tx, person.uid))) return []
    await auditFactor(tx, call.address, person, 'renew-recovery-codes', 'codes')
    await notifyFactor(tx, call, person, 'リカバリーコードが作り直されました。以前のコードはもう使えません。')
    return replaceRecoveryCodes(tx, person.uid)
  })
  return { body: { recoveryCodes: codes } }
})

const startPasskey = afterStepUp(async ({ options }, person) => {
  const { database, webOrigin } = options
  if (passkeyHost(webOrigin) === undefined) return refuse(refusal('sign-in/passkeys-need-host'))
  return { body: { options: await registrationOptions(database, webOrigin, person) } }
})

const confirmPasskey = afterStepUp(async (call, person) => {
  const { options, input, address } = call
  const { database, webOrigin } = options
  if (passkeyHost(webOrigin) === undefined) return refuse(refusal('sign-in/passkeys-need-host'))
  if (!(await addPasskey(database, webOrigin, person.uid, input.passkey, text(input, 'label'))))
    return refuse(refusal('sign-in/passkey-not-added'))
  const codes = await database.inScope(SYSTEM, async tx => {
    await auditFactor(tx, address, person, 'add-second-factor', 'passkey')
    await notifyFactor(tx, call, person, 'パスキーが追加されました。')
    return firstCodes(tx, person.uid)
  })
  return { body: { recoveryCodes: codes } }
})

const removePasskey = afterStepUp(async (call, person) => {
  await call.options.database.inScope(SYSTEM, async tx => {
    if (await removeFactor(tx, person.uid, { passkeyId: text(call.input, 'id') }))
      await auditFactor(tx, call.address, person, 'remove-second-factor', 'passkey')
    await notifyFactor(tx, call, person, 'パスキーが削除されました。')
  })
  return { body: {} }
})

function auditFactor(
  tx: Transaction,
  address: string,
  { uid }: Asking,
  action: AuditAction,
  factor: string,
): Promise<void> {
  return auditAccount(tx, address, { uid, action, isAuthenticated: true, details: { factor } })
}

function notifyFactor(tx: Transaction, { options }: Call, person: Asking, what: string): Promise<void> {
  return options.emails.send(tx, factorNotice(person.email, '2段階認証の設定が変更されました', what))
}

/** Endpoints for signed-in people to manage their own account. */
export const ACCOUNT_ENDPOINTS: readonly (readonly [string, Endpoint])[] = [
  ['POST change-pass', changePass],
  ['POST change-email', changeEmail],
  ['POST change-email/confirm', confirmEmail],
  ['GET sessions', sessions],
  ['POST sessions/end', endOneSession],
  ['POST sessions/end-all', endAllSessions],
  ['GET security', security],
  ['POST step-up', stepUp],
  ['POST step-up/passkey-options', stepUpOptions],
  ['POST totp/start', startTotp],
  ['POST totp/confirm', confirmTotp],
  ['POST totp/remove', removeTotp],
  ['POST recovery-codes', newRecoveryCodes],
  ['POST passkeys/start', startPasskey],
  ['POST passkeys/confirm', confirmPasskey],
  ['POST passkeys/remove', removePasskey],
]
