import { toAccountHolderKana } from '@pc/domain/bank/account-holder-kana.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { refusalOfConstraint } from '@pc/platform/postgres/translate-sql-state.ts'
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
  const { tx, permit } = write
  const { scope, viewer } = permit
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
  refusals.push(...(await bankRefusals(write, request)))
  if (refusals.length > 0 || !holder.ok || organizationId === undefined) return { ok: false, refusals }
  const { bankId, bankBranchId, typeName } = request
  const values = { organizationId, bankId, bankBranchId, typeName, holder: holder.value }
  const fullNumber = number.padStart(NUMBER_DIGITS, '0')
  try {
    const { id } = await tx
      .insertInto('bankAccounts')
      .values({ ...values, number: fullNumber, requestedBy: viewer.uid })
      .returning('id')
      .executeTakeFirstOrThrow()
    await jobs.enqueue(tx, BANK_ACCOUNT_NOTICE_JOB, { bankAccountId: String(id), event: 'requested' })
    const row = await findBankAccount(tx, id)
    if (!row) throw new Error('the new account is not in the scope of its own request')
    const after = { ...values, number: fullNumber, state: row.state, revision: row.revision }
    write.record({ action: 'create', resource: 'insight:bank_account.', rowId: id, before: null, after })
    return ok(row)
  } catch (error) {
    const path = ['input', 'organizationId']
    const known = { bank_accounts_organization_id_fkey: { code: 'bank-account/organization-unknown', path } } as const
    return { ok: false, refusals: [refusalOfConstraint<RefusalCode>(error, known)] }
  }
}

async function bankRefusals({ tx }: Write, request: BankAccountRequest): Promise<Refusal<RefusalCode>[]> {
  const bank = await tx
    .selectFrom('banks')
    .select('id')
    .where('id', '=', request.bankId)
    .where('isGone', '=', false)
    .executeTakeFirst()
  if (!bank) return [refusal('bank-account/bank-unknown', ['input', 'bankId'])]
  const branch = await tx
    .selectFrom('bankBranches')
    .select('id')
    .where('id', '=', request.bankBranchId)
    .where('bankId', '=', request.bankId)
    .where('isGone', '=', false)
    .executeTakeFirst()
  return branch ? [] : [refusal('bank-account/branch-unknown', ['input', 'bankBranchId'])]
}
