import { randomUUID } from 'node:crypto'
import type { AccountChange } from '@pc/domain/access/account-change.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import type { SignInRefusalCode } from '../refusals.ts'
import type { AccountChangeInfo } from '../session-info.ts'
import { applyChange, canUndo, endChange, findPendingChange, lockChange, undoChange } from './account-change-store.ts'
import type { AccountEmails } from './account-emails.ts'
import { writeToAdministrators } from './notify-administrators.ts'
import { readLink, useLink } from './one-time-link.ts'
import { auditAccount } from './sign-in-call.ts'

interface Deps {
  readonly database: Database
  readonly emails: AccountEmails
}
type Refused = Refusal<SignInRefusalCode>
type Side = 'old' | 'new'

const gone = () => refused(refusal('sign-in/link-expired'))

/** What a link is about; undefined when there is nothing left to decide by it. */
async function changeOfLink(
  tx: Transaction,
  link: Readonly<Record<string, string>> | undefined,
): Promise<{ readonly change: AccountChange; readonly side: Side } | undefined> {
  if (!link?.change) return undefined
  const change = await lockChange(tx, link.change)
  const side: Side = link.side === 'new' ? 'new' : 'old'
  if (change?.state === 'pending') return { change, side }
  return change?.state === 'done' && side === 'old' && (await canUndo(tx, change)) ? { change, side } : undefined
}

/** What the screen of a link shows, before anything is decided. */
export function readChange(database: Database, secret: string): Promise<Result<AccountChangeInfo, Refused>> {
  return database.inScope(SYSTEM, async tx => {
    const found = await changeOfLink(tx, await readLink(tx, 'AccountChangeLink', secret))
    return found ? ok(infoOf(found.change, found.side)) : gone()
  })
}

export async function readOwnChange(database: Database, uid: string): Promise<AccountChangeInfo | null> {
  const change = await database.inScope(SYSTEM, tx => findPendingChange(tx, uid))
  return change ? infoOf(change, 'old') : null
}

function infoOf(change: AccountChange, side: Side): AccountChangeInfo {
  const { kind, email, newEmail, state } = change
  const isAgreed = side === 'old' ? change.isOldConfirmed : change.isNewConfirmed
  return { id: String(change.id), kind, email, newEmail, side, isDone: state === 'done', isAgreed }
}

/**
 * The person agrees, at one of the two addresses. A new address changes once both have agreed; for everything else there
 * is only one. `done`: it has taken effect.
 */
export function agreeByLink(deps: Deps, secret: string, address: string): Promise<Result<Agreed, Refused>> {
  return settle(deps, async tx => {
    const found = await changeOfLink(tx, await readLink(tx, 'AccountChangeLink', secret))
    if (found?.change.state !== 'pending') return gone()
    const { side } = found
    const column = sql.ref(side === 'old' ? 'old_email_confirmed_at' : 'new_email_confirmed_at')
    await sql`update account_changes set ${column} = coalesce(${column}, now()) where id = ${found.change.id}`.execute(
      tx,
    )
    const change = {
      ...found.change,
      ...(side === 'old' ? { isOldConfirmed: true } : { isNewConfirmed: true }),
    }
    const isComplete = change.isOldConfirmed && (change.kind !== 'email' || change.isNewConfirmed)
    return agreed(tx, deps, change, { address, side, isComplete })
  })
}

/** The change that the person was shown, if it still waits. */
async function shownChange(tx: Transaction, uid: string, id: string): Promise<AccountChange | undefined> {
  const found = await findPendingChange(tx, uid)
  const change = found && String(found.id) === id ? await lockChange(tx, found.id) : undefined
  return change?.state === 'pending' ? change : undefined
}

/** The person agrees, signed in and after a step-up: as good as at the old address, but not at a new one. */
export function agreeAsOneself(deps: Deps, uid: string, id: string, address: string): Promise<Result<Agreed, Refused>> {
  return settle(deps, async tx => {
    const change = await shownChange(tx, uid, id)
    if (!change) return gone()
    await sql`update account_changes set old_email_confirmed_at = coalesce(old_email_confirmed_at, now())
      where id = ${change.id}`.execute(tx)
    const isComplete = change.kind !== 'email' || change.isNewConfirmed
    return agreed(tx, deps, { ...change, isOldConfirmed: true }, { address, side: 'session', isComplete })
  })
}

type Agreed = { readonly isDone: boolean }

async function agreed(
  tx: Transaction,
  { emails }: Deps,
  change: AccountChange,
  how: { readonly address: string; readonly side: Side | 'session'; readonly isComplete: boolean },
): Promise<Result<Agreed, Refused>> {
  const { uid, kind } = change
  if (how.isComplete) {
    const came = await applyChange(tx, emails, change, { uid, requestId: randomUUID() })
    if (came === 'taken') return refused(refusal('sign-in/email-taken'))
    if (came === 'stale') {
      await endChange(tx, change.id, 'expired')
      return gone()
    }
  }
  const details = { kind, by: how.side }
  await auditAccount(tx, how.address, { uid, action: 'confirm-account-change', isAuthenticated: true, details })
  return ok({ isDone: how.isComplete })
}

/** The person objects: what has not happened does not, what has happened is undone. Needs no sign-in, and works once. */
export function objectByLink(
  deps: Deps,
  secret: string,
  address: string,
): Promise<Result<{ readonly isUndone: boolean; readonly isDisabled: boolean }, Refused>> {
  return settle(deps, async tx => {
    const found = await changeOfLink(tx, await useLink(tx, 'AccountChangeLink', secret))
    if (found?.side !== 'old') return gone()
    return ok(await refuseChange(tx, deps, found.change, address))
  })
}

export function objectAsOneself(
  deps: Deps,
  uid: string,
  id: string,
  address: string,
): Promise<Result<object, Refused>> {
  return settle(deps, async tx => {
    const change = await shownChange(tx, uid, id)
    return change ? ok(await refuseChange(tx, deps, change, address)) : gone()
  })
}

async function refuseChange(tx: Transaction, { emails }: Deps, change: AccountChange, address: string) {
  const isUndone = change.state === 'done'
  const isDisabled = isUndone && !(await undoChange(tx, change))
  await endChange(tx, change.id, 'refused')
  await notifyAdministrators(tx, emails, change, isDisabled ? 'disabled' : isUndone ? 'undone' : 'refused')
  if (isUndone && !isDisabled) await emails.send(tx, undoneEmail(change.email))
  await auditAccount(tx, address, {
    uid: change.uid,
    action: 'object-account-change',
    isAuthenticated: true,
    details: { kind: change.kind, isUndone, requestedByUid: change.requestedByUid },
  })
  return { isUndone, isDisabled }
}

function undoneEmail(to: string) {
  return renderEmail({
    to,
    subject: '【Publisher Center】アカウントを変更前の状態に戻しました',
    paragraphs: [
      '異議の申し立てを受け付け、メールアドレス、パスワード、2段階認証を変更前の状態に戻しました。すべての端末でのサインインは終了しています。',
      '念のため、サインインしてパスワードを変更してください。変更の後に発行されたAPIキーは失効させました。変更の後に登録されたWebhook、招待されたユーザー、付与されたロールがないかも確かめてください。',
    ],
  })
}

const OUTCOMES = {
  refused: '変更は行われません。',
  undone: '反映済みの変更を元に戻しました。',
  disabled: '変更前のメールアドレスをほかの方が使っているため、アカウントを無効にしました。',
} as const

/** Everybody who looks after people hears of it; a person who asked for the change is one of many. */
async function notifyAdministrators(
  tx: Transaction,
  emails: AccountEmails,
  { email, uid }: AccountChange,
  outcome: keyof typeof OUTCOMES,
): Promise<void> {
  const mails = await writeToAdministrators(tx, [uid], {
    subject: '【Publisher Center】アカウントの変更に異議がありました',
    paragraphs: [
      `${email} の方から、アカウントの変更に異議がありました。${OUTCOMES[outcome]}`,
      'ご本人に電話などで確認し、操作の記録で依頼した管理者を確かめてください。',
      ...(outcome === 'refused'
        ? []
        : [
            '変更の後にこのアカウントが発行したAPIキーは失効させました。変更の後に登録されたWebhook、招待されたユーザー、付与されたロールがないかを操作の記録で確かめてください。',
          ]),
    ],
  })
  for (const mail of mails) await emails.send(tx, mail)
}

/** One transaction, in which two decisions at once come one after the other. A refusal keeps what was written. */
async function settle<T>(
  { database }: Deps,
  work: (tx: Transaction) => Promise<Result<T, Refused>>,
): Promise<Result<T, Refused>> {
  try {
    return await database.inScope(SYSTEM, work)
  } catch (error) {
    const found = readSqlRefusal(error)
    if (found?.kind === 'unique' && found.constraint === 'users_email_key')
      return refused(refusal('sign-in/email-taken'))
    throw error
  }
}
