import { AGREEMENT_FIELD_NAMES, type AgreementInput } from '@pc/domain/agreement/agreement-record.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, thisMonth, today } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readLockedMedia } from '@pc/platform/postgres/media-lock.ts'
import { lastFinalizedMonths } from '@pc/platform/postgres/month-lock.ts'
import { refusalOfOnlyRow } from '@pc/platform/postgres/translate-sql-state.ts'
import { updateRows } from '@pc/platform/postgres/update-rows.ts'
import { sql } from 'kysely'
import { type AgreementRow, CONFIRMATION_COLUMNS, findAgreements } from './agreement-store.ts'
import { readTermsHistories, writeTerms } from './agreement-terms-store.ts'
import { type AccountAssignment, type AssignedAccounts, assignBankAccounts } from './assign-bank-accounts.ts'
import {
  type AgreementState,
  checkAgreementChange,
  checkNewAgreement,
  isTakenUpAgain,
  missingFields,
} from './check-agreement.ts'
import { readPlatformTerms } from './platform-terms.ts'
import { refuseTakenCodes } from './refuse-taken-codes.ts'
import { refuseTwoEarners } from './refuse-two-earners.ts'

type Path = readonly (string | number)[]
type Saved<T> = Result<T, Refusal<RefusalCode>>

export interface AgreementSubmission {
  readonly input: AgreementInput<Date>
  /** The whole list of accounts; undefined: they stay as they are. */
  readonly accounts: readonly AccountAssignment[] | undefined
  /** The paths of input and accounts in the mutation's arguments, with which refusals name form fields. */
  readonly path: Path
  readonly accountsPath: Path
}

const RESOURCE = 'insight:agreement.'
const CONSTRAINTS = {
  agreements_code_key: { code: 'agreement/code-taken', field: 'code' },
  agreements_medium_id_fkey: { code: 'agreement/medium-unknown', field: 'mediumId' },
  agreements_organization_id_fkey: { code: 'agreement/organization-unknown', field: 'organizationId' },
} as const

/**
 * Creates agreements whose terms hold from `validFromMonth` (default: this month): all of them, or none when one is
 * refused. When one of several violates a constraint, the database error is thrown, because it does not name the row.
 */
export async function createAgreements(
  write: Write,
  clock: Clock,
  submissions: readonly AgreementSubmission[],
): Promise<Saved<readonly AgreementRow[]>> {
  const { tx } = write
  const missing = submissions.flatMap(({ input, path }) => missingFields(input, path))
  if (missing.length > 0) return { ok: false, refusals: missing }
  const mediumIds = submissions.map(({ input }) => input.mediumId ?? 0n)
  const lastFinalized = await lastFinalizedMonths(tx, mediumIds)
  const platform = await readPlatformTerms(tx, thisMonth(clock))
  const { uid } = write.permit.viewer
  const around = { clock, uid, lastFinalized, media: await readLockedMedia(tx, mediumIds), platform }
  const checked = submissions.map(({ input, path }) => checkNewAgreement(input, path, around))
  const codes = checked.map(({ values }, index) => ({
    ...{ id: undefined, code: values.code, path: submissions[index]?.path ?? [] },
  }))
  const refusals = [...checked.flatMap(one => one.refusals), ...(await refuseTakenCodes(tx, codes))]
  if (refusals.length > 0) return { ok: false, refusals }
  const inserted = await attempt(submissions, () =>
    tx
      .insertInto('agreements')
      .values(checked.map(({ values }) => values))
      .returning(['id', 'code'])
      .execute(),
  )
  if (!inserted.ok) return inserted
  const ids = new Map(inserted.value.map(({ id, code }) => [code, id]))
  const written = submissions.map((submission, index) => {
    return { submission, id: ids.get(checked[index]?.values.code ?? '') ?? 0n, before: undefined }
  })
  return finish(write, clock, written)
}

/**
 * Changes agreements, each named once: all of them, or none when one is refused. Terms that differ from those in force in
 * `validFromMonth` become a version from that month on, which must not be final.
 */
export async function updateAgreements(
  write: Write,
  clock: Clock,
  submissions: readonly AgreementSubmission[],
): Promise<Saved<readonly AgreementRow[]>> {
  const { tx } = write
  const states = await lockStates(
    tx,
    submissions.map(({ input }) => input.id ?? 0n),
  )
  const unsaved = await notSaved(tx, submissions, states)
  if (unsaved.length > 0) return { ok: false, refusals: unsaved }
  const changes = submissions.map(submission => {
    const before = states.get(submission.input.id ?? 0n)
    if (!before) throw new Error('an agreement that was just locked is gone')
    return { submission, before, id: before.row.id }
  })
  const mediumIds = changes.map(({ before }) => before.row.mediumId)
  const lastFinalized = await lastFinalizedMonths(tx, mediumIds)
  const isAnyTakenUp = changes.some(({ submission, before }) => isTakenUpAgain(submission.input, before.row, clock))
  const platform = await readPlatformTerms(tx, thisMonth(clock))
  const media = await readLockedMedia(tx, isAnyTakenUp ? mediumIds : [])
  const around = { clock, uid: write.permit.viewer.uid, lastFinalized, media, platform }
  const checked = changes.map(change => {
    const { input, path } = change.submission
    return { ...change, ...checkAgreementChange(input, path, change.before, around) }
  })
  const refusals = [
    ...checked.flatMap(one => one.refusals),
    ...(await refuseTwoEarners(
      tx,
      checked.flatMap(({ id, spans, submission: { path } }) => (spans ? [{ agreementId: id, ...spans, path }] : [])),
    )),
    ...(await refuseTakenCodes(
      tx,
      checked.flatMap(({ id, before, after: { code }, submission: { path } }) =>
        code === before.row.code ? [] : [{ id, code, path }],
      ),
    )),
  ]
  if (refusals.length > 0) return { ok: false, refusals }
  await writeTerms(
    tx,
    checked.flatMap(({ id, before, newTerms }) => {
      const [first] = before.history
      return newTerms && first ? [{ agreementId: id, first, ...newTerms }] : []
    }),
  )
  const rows = checked.flatMap(({ before, after }) => (isSame(before.row, after) ? [] : [after]))
  const updated = await attempt(submissions, () =>
    updateRows(tx, 'agreements', [...AGREEMENT_FIELD_NAMES, ...CONFIRMATION_COLUMNS], rows),
  )
  if (!updated.ok) return updated
  return finish(write, clock, changes)
}

export async function createAgreement(write: Write, clock: Clock, submission: AgreementSubmission) {
  return onlyOne(await createAgreements(write, clock, [submission]))
}

export async function updateAgreement(write: Write, clock: Clock, submission: AgreementSubmission) {
  return onlyOne(await updateAgreements(write, clock, [submission]))
}

function onlyOne(saved: Saved<readonly AgreementRow[]>): Saved<AgreementRow> {
  if (!saved.ok) return saved
  const [row] = saved.value
  if (!row) throw new Error('an agreement was saved that is not in the scope of its editor')
  return ok(row)
}

async function lockStates(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, AgreementState>> {
  await tx
    .selectFrom('agreements')
    .select('id')
    .where('id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return statesOf(tx, ids)
}

async function statesOf(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, AgreementState>> {
  const rows = await findAgreements(tx, ids)
  const histories = await readTermsHistories(tx, ids)
  return new Map(rows.map(row => [row.id, { row, history: histories.get(row.id) ?? [] }]))
}

/** Refusals of agreements that do not exist, or that somebody saved since they were read. */
async function notSaved(
  tx: Transaction,
  submissions: readonly AgreementSubmission[],
  states: ReadonlyMap<bigint, AgreementState>,
): Promise<readonly Refusal<RefusalCode>[]> {
  const refusals: Refusal<RefusalCode>[] = []
  for (const { input, path } of submissions) {
    const before = states.get(input.id ?? 0n)?.row
    if (!before) {
      refusals.push(refusal('record/not-found', [...path, 'id']))
      continue
    }
    const { id: rowId, revision } = before
    const { expectedRevision } = input
    const stale = await editedByOther(tx, { resource: RESOURCE, rowId, revision, expectedRevision })
    if (stale) refusals.push(refusal(stale.code, [...path, ...stale.path], stale.data))
  }
  return refusals
}

interface Written {
  readonly submission: AgreementSubmission
  readonly id: bigint
  readonly before: AgreementState | undefined
}

/** Accounts, revisions and audit rows, after the rows themselves have been written. */
async function finish(
  write: Write,
  clock: Clock,
  written: readonly Written[],
): Promise<Saved<readonly AgreementRow[]>> {
  const { tx } = write
  const ids = written.map(({ id }) => id)
  const states = await statesOf(tx, ids)
  const wanted = written.flatMap(({ id, submission: { accounts, accountsPath } }) => {
    const agreement = states.get(id)?.row
    return accounts && agreement ? [{ agreement, accounts, path: accountsPath }] : []
  })
  const assigned = await assignBankAccounts(tx, wanted, today(clock))
  if (!assigned.ok) return assigned
  const saved = written.flatMap(({ id, before }) => {
    const after = states.get(id)
    if (!after) return []
    const accounts = assigned.value.get(id)
    const was = before && auditOf(before, accounts?.before)
    const is = auditOf(after, accounts?.after)
    return [{ id, row: after.row, was, is, isChanged: was === undefined || !isSame(was, is) }]
  })
  const updated = saved.filter(({ was, isChanged }) => was !== undefined && isChanged)
  const revisions = await raiseRevisions(
    tx,
    updated.map(({ id }) => id),
  )
  for (const { id, row, was, is } of saved.filter(({ isChanged }) => isChanged)) {
    const revision = revisions.get(id)?.revision ?? row.revision
    write.record({
      action: was ? 'update' : 'create',
      resource: RESOURCE,
      rowId: id,
      before: was ? { ...was, revision: row.revision } : null,
      after: { ...is, revision },
    })
  }
  if (!saved.some(({ isChanged }) => isChanged)) write.recordNothing()
  return ok(saved.map(({ id, row }) => ({ ...row, ...revisions.get(id) })))
}

async function raiseRevisions(tx: Transaction, ids: readonly bigint[]) {
  if (ids.length === 0) return new Map<bigint, { readonly revision: number; readonly updatedAt: Date }>()
  const rows = await tx
    .updateTable('agreements')
    .set(eb => ({ revision: eb('revision', '+', 1), updatedAt: sql<Date>`now()` }))
    .where('id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .returning(['id', 'revision', 'updatedAt'])
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/** An agreement as the audit log stores it. */
function auditOf({ row, history }: AgreementState, accounts: AssignedAccounts['after'] | undefined): object {
  const { revision: _revision, updatedAt: _updatedAt, organizationName: _name, ...kept } = row
  return {
    ...kept,
    terms: history.map(({ validFromMonth, value }) => ({ validFromMonth, ...value })),
    ...(accounts === undefined ? {} : { agreementBankAccounts: accounts }),
  }
}

/**
 * Turns a violated constraint into a refusal when there is one submission. With several, the error is thrown, because the
 * database does not say which row it means.
 */
async function attempt<T>(submissions: readonly AgreementSubmission[], work: () => Promise<T>): Promise<Saved<T>> {
  try {
    return ok(await work())
  } catch (error) {
    const path = submissions[0]?.path ?? []
    const known = Object.fromEntries(
      Object.entries(CONSTRAINTS).map(([name, { code, field }]) => [name, { code, path: [...path, field] }]),
    )
    return { ok: false, refusals: [refusalOfOnlyRow<RefusalCode>(error, submissions, known)] }
  }
}

function isSame(a: object, b: object): boolean {
  return comparable(a) === comparable(b)
}

function comparable(value: object): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item))
}
