import { toAccountHolderKana } from '@pc/domain/bank/account-holder-kana.ts'
import { inPlace, outOfPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { refusalOfOnlyRow } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import { type BankAccountRow, type BankAccountType, findBankAccount } from './bank-account-store.ts'
import { BANK_ACCOUNT_NOTICE_JOB } from './notify-bank-account-job.ts'

export interface BankAccountRequest {
  /** Undefined: the caller's own. */
  readonly organizationId: bigint | undefined
  readonly bankId: bigint
  readonly bankBranchId: bigint
  readonly typeName: BankAccountType
  /** As typed: digits of any width, hyphens and spaces. */
  readonly number: string
  /** As typed: kana of any kind. */
  readonly holder: string
  /** Agreements of the organisation that take the account as soon as it can be used. */
  readonly agreementIds?: readonly bigint[] | undefined
}

const NUMBER_DIGITS = 7

/**
 * Asks for an account. It is used for payments only after another person has approved it; afterwards it is never changed.
 */
export async function requestBankAccount(
  write: Write,
  jobs: Jobs,
  request: BankAccountRequest,
): Promise<Result<BankAccountRow, Refusal<RefusalCode>>> {
  const requested = await requestBankAccounts(write, jobs, [request])
  if (!requested.ok) return { ok: false, refusals: outOfPlace(requested.refusals) }
  const row = await findBankAccount(write.tx, requested.value[0] ?? 0n)
  if (!row) throw new Error('the new account is not in the scope of its own request')
  return ok(row)
}

/**
 * All of them, or none where one is refused. `requestedBy`: who sent the file that another person confirms.
 */
export async function requestBankAccounts(
  write: Write,
  jobs: Jobs,
  requests: readonly BankAccountRequest[],
  requestedBy: string = write.permit.viewer.uid,
): Promise<Result<readonly bigint[], Refusal<RefusalCode>>> {
  const { tx } = write
  const branches = await readBranches(tx, requests)
  const agreements = await readAgreements(tx, requests)
  const checked = requests.map(request => checkRequest(write, request, branches, agreements))
  const wrong = checked.flatMap((one, place) => (one.ok ? [] : inPlace(place, one.refusals)))
  if (wrong.length > 0) return { ok: false, refusals: wrong }
  const values = checked.flatMap(one => (one.ok ? [one.value] : []))
  try {
    const rows = await tx
      .insertInto('bankAccounts')
      .values(values.map(one => ({ ...one, requestedBy })))
      .returning([
        'id',
        'organizationId',
        'bankId',
        'bankBranchId',
        'typeName',
        'holder',
        'number',
        'state',
        'revision',
      ])
      .execute()
    const planned = rows.flatMap(({ id: bankAccountId }, place) =>
      agreementIdsOf(requests[place]).map(agreementId => ({ bankAccountId, agreementId })),
    )
    if (planned.length > 0) await tx.insertInto('bankAccountSwitches').values(planned).execute()
    for (const [place, { id, ...account }] of rows.entries()) {
      await jobs.enqueue(tx, BANK_ACCOUNT_NOTICE_JOB, { bankAccountId: String(id), event: 'requested' })
      const agreementIds = agreementIdsOf(requests[place])
      const after = agreementIds.length === 0 ? account : { ...account, agreementIds }
      write.record({ action: 'create', resource: 'insight:bank_account.', rowId: id, before: null, after })
    }
    return ok(rows.map(({ id }) => id))
  } catch (error) {
    const path = [0, 'input', 'organizationId']
    const known = { bank_accounts_organization_id_fkey: { code: 'bank-account/organization-unknown', path } } as const
    return { ok: false, refusals: [refusalOfOnlyRow<RefusalCode>(error, requests, known)] }
  }
}

function agreementIdsOf(request: BankAccountRequest | undefined): readonly bigint[] {
  return [...new Set(request?.agreementIds)]
}

function checkRequest(
  { permit: { scope } }: Write,
  request: BankAccountRequest,
  branches: ReadonlyMap<bigint, ReadonlySet<bigint>>,
  /** The organisation of each agreement that is named and seen. */
  agreements: ReadonlyMap<bigint, bigint>,
) {
  const refusals: Refusal<RefusalCode>[] = []
  const organizationId = scope.kind === 'organization' ? scope.organizationId : request.organizationId
  if (organizationId === undefined)
    refusals.push(refusal('bank-account/organization-required', ['input', 'organizationId']))
  else if (request.organizationId !== undefined && request.organizationId !== organizationId)
    refusals.push(refusal('bank-account/organization-unknown', ['input', 'organizationId']))
  const number = request.number.normalize('NFKC').replace(/[\s-]/g, '')
  if (!/^\d{1,7}$/.test(number) || /^0+$/.test(number))
    refusals.push(refusal('bank-account/number-wrong', ['input', 'number']))
  const holder = toAccountHolderKana(request.holder)
  if (!holder.ok) refusals.push(...holder.refusals)
  const { bankId, bankBranchId, typeName } = request
  const ofBank = branches.get(bankId)
  if (!ofBank) refusals.push(refusal('bank-account/bank-unknown', ['input', 'bankId']))
  else if (!ofBank.has(bankBranchId)) refusals.push(refusal('bank-account/branch-unknown', ['input', 'bankBranchId']))
  for (const [index, id] of (request.agreementIds ?? []).entries())
    if (agreements.get(id) !== organizationId)
      refusals.push(refusal('bank-account/agreement-unknown', ['input', 'agreementIds', index]))
  if (refusals.length > 0 || !holder.ok || organizationId === undefined) return { ok: false as const, refusals }
  const fullNumber = number.padStart(NUMBER_DIGITS, '0')
  return ok({ organizationId, bankId, bankBranchId, typeName, holder: holder.value, number: fullNumber })
}

/** The banks that the requests name, as far as there are such, with the named branches that they have. */
async function readBranches(
  tx: Transaction,
  requests: readonly BankAccountRequest[],
): Promise<ReadonlyMap<bigint, ReadonlySet<bigint>>> {
  const bankIds = requests.map(({ bankId }) => bankId)
  const branchIds = requests.map(({ bankBranchId }) => bankBranchId)
  const rows = await tx
    .selectFrom('banks as b')
    .leftJoin('bankBranches as r', join =>
      join
        .onRef('r.bankId', '=', 'b.id')
        .on('r.id', '=', sql<bigint>`any(${branchIds}::bigint[])`)
        .on('r.isGone', '=', false),
    )
    .select(['b.id', 'r.id as branchId'])
    .where('b.id', '=', sql<bigint>`any(${bankIds}::bigint[])`)
    .where('b.isGone', '=', false)
    .execute()
  const banks = Map.groupBy(rows, ({ id }) => id)
  return new Map([...banks].map(([id, found]) => [id, new Set(found.flatMap(({ branchId }) => branchId ?? []))]))
}

async function readAgreements(
  tx: Transaction,
  requests: readonly BankAccountRequest[],
): Promise<ReadonlyMap<bigint, bigint>> {
  const ids = requests.flatMap(request => agreementIdsOf(request))
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('agreements')
    .select(['id', 'organizationId'])
    .where('id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]))
}
