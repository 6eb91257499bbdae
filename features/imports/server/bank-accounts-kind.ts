import { toAccountHolderKana } from '@pc/domain/bank/account-holder-kana.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { organizationColumns, organizationReferences } from './common-references.ts'
import { choiceColumn, choiceOf, codeColumn, type ImportColumn, idColumn, textColumn } from './import-columns.ts'
import type { Cells, ImportKind, PresentRow, Refused } from './import-kind.ts'

type AccountType = 'ordinary' | 'current' | 'savings'
interface AccountRequest {
  readonly organizationId: bigint
  readonly bankId: bigint
  readonly bankBranchId: bigint
  readonly typeName: AccountType
  readonly number: string
  readonly holder: string
}
interface BankAccountUseCases {
  requestBankAccounts(
    write: Write,
    requests: readonly AccountRequest[],
    requestedBy: string,
  ): Promise<Result<readonly bigint[], Refused>>
  approveBankAccounts(write: Write, ids: readonly bigint[]): Promise<Result<unknown, Refused>>
}

const ACCOUNT_TYPES = { ordinary: '普通', current: '当座', savings: '貯蓄' } as const
/** Restores leading zeros that spreadsheets remove: 1 becomes 0001. */
const digits = (text: string | undefined, length: number) => (text ?? '').padStart(length, '0')

/** The columns that identify an account. @param definitions explanations for the template */
export function accountPlaceColumns(definitions: { readonly number: string }): readonly ImportColumn[] {
  return [
    codeColumn('bankCode', {
      header: '銀行コード',
      isRequired: true,
      fields: ['bankId'],
      example: '0001',
      definition: '4桁の金融機関コードです。',
    }),
    textColumn('bankName', {
      header: '銀行名',
      emptyKeeps: true,
      example: 'みずほ銀行',
      definition: '確認用です。銀行コードの名前になります。',
    }),
    codeColumn('branchCode', {
      header: '支店コード',
      isRequired: true,
      fields: ['bankBranchId'],
      example: '001',
      definition: '3桁の支店コードです。',
    }),
    textColumn('branchName', {
      header: '支店名',
      emptyKeeps: true,
      example: '東京営業部',
      definition: '確認用です。支店コードの名前になります。',
    }),
    choiceColumn('typeName', ACCOUNT_TYPES, { header: '預金種目', example: '普通', definition: '' }),
    codeColumn('number', {
      header: '口座番号',
      isRequired: true,
      fields: ['bankAccountId'],
      example: '1234567',
      definition: definitions.number,
    }),
  ]
}

export function holderColumn(
  declared: Pick<Parameters<typeof textColumn>[1], 'isRequired' | 'emptyKeeps' | 'definition'>,
): ImportColumn {
  return textColumn('holder', { header: '口座名義（カナ）', example: 'ｶ)ｻｸﾗｼﾝﾌﾞﾝｼﾔ', ...declared })
}

/** The identifying cells of an account in canonical form. */
export function accountPlaceCells(cells: Cells) {
  return {
    bankCode: digits(cells.bankCode, 4),
    branchCode: digits(cells.branchCode, 3),
    typeName: cells.typeName || ACCOUNT_TYPES.ordinary,
    number: digits((cells.number ?? '').replace(/[\s-]/g, ''), 7),
  }
}

interface RegisteredAccount {
  readonly bankCode: string
  readonly bankName: string
  readonly branchCode: string
  readonly branchName: string
  readonly typeName: string
  readonly number: string
  readonly holder: string
}

/** A registered account as cells of a file. */
export function accountCells(account: RegisteredAccount): Cells {
  const { bankCode, bankName, branchCode, branchName, typeName, number, holder } = account
  const typeLabel = ACCOUNT_TYPES[typeName as AccountType]
  return { bankCode, bankName, branchCode, branchName, typeName: typeLabel, number, holder }
}

const COLUMNS = [
  idColumn(),
  ...organizationColumns,
  ...accountPlaceColumns({ number: '7桁以内の数字です。' }),
  holderColumn({ isRequired: true, definition: '通帳のとおりのカナです。' }),
]

/** Imports accounts. The uploader counts as the requester and the person who confirms as the approver: two people. */
export function bankAccountsKind({ requestBankAccounts, approveBankAccounts }: BankAccountUseCases): ImportKind {
  return {
    name: 'bank-accounts',
    showsAccounts: true,
    title: '口座',
    description:
      '1行が1つの口座です。確認済みの口座だけを取り込んでください。送信した人とは別の承認者が確定すると、承認済みになります。',
    fileName: 'bank_accounts',
    needs: [
      ['write:create', 'insight:bank_account.'],
      ['write:update', 'insight:bank_account.'],
      ['read:list', 'insight:bank_account.'],
    ],
    needsStepUp: true,
    confirmedByOther: true,
    columns: COLUMNS,
    async open(reader, { uploadedByUid }) {
      const organizations = await organizationReferences(reader)
      const branches = await reader
        .selectFrom('bankBranches as r')
        .innerJoin('banks as b', 'b.id', 'r.bankId')
        .select(['r.id', 'r.bankId', 'r.code', 'r.name', 'b.code as bankCode', 'b.name as bankName'])
        .where('r.isGone', '=', false)
        .where('b.isGone', '=', false)
        .execute()
      const byCode = new Map(branches.map(one => [`${one.bankCode} ${one.code}`, one]))
      const bankCodes = new Set(branches.map(({ bankCode }) => bankCode))
      const rows = await reader
        .selectFrom('bankAccounts as a')
        .innerJoin('bankBranches as r', 'r.id', 'a.bankBranchId')
        .innerJoin('banks as b', 'b.id', 'a.bankId')
        .select(['a.id', 'a.organizationId', 'a.typeName', 'a.number', 'a.holder', 'a.revision'])
        .select(['b.code as bankCode', 'b.name as bankName', 'r.code as branchCode', 'r.name as branchName'])
        .where('a.state', '<>', 'rejected')
        .orderBy('a.id')
        .execute()
      return {
        present: rows.map((row): PresentRow => {
          const cells = { id: String(row.id), ...organizations.cellsOf(row.organizationId), ...accountCells(row) }
          return { id: cells.id, key: keyOf(cells), revision: row.revision, cells }
        }),
        resolve(cells) {
          const refusals: Refusal<RefusalCode>[] = []
          const organization = organizations.demand(cells)
          if (!organization.ok) refusals.push(...organization.refusals)
          const place = accountPlaceCells(cells)
          const { bankCode, branchCode } = place
          const branch = byCode.get(`${bankCode} ${branchCode}`)
          if (!bankCodes.has(bankCode)) refusals.push(refusal('bank-account/bank-unknown', ['bankCode']))
          else if (!branch) refusals.push(refusal('bank-account/branch-unknown', ['branchCode']))
          const holder = toAccountHolderKana(cells.holder ?? '')
          if (!holder.ok) refusals.push(...holder.refusals.map(one => refusal(one.code, ['holder'], one.data)))
          if (refusals.length > 0 || !organization.ok || !branch || !holder.ok) return { ok: false, refusals }
          return ok({
            ...cells,
            ...organizations.cellsOf(organization.value.id),
            ...place,
            bankName: branch.bankName,
            branchName: branch.name,
            holder: holder.value,
          })
        },
        keyOf,
        recordIdsOf: ({ bankCode, branchCode }) => ({
          bankBranchId: String(byCode.get(`${bankCode} ${branchCode}`)?.id),
        }),
        async save(write, rows) {
          const fixed = rows.flatMap(({ present }, place) =>
            present ? [refusal('import/account-fixed', [place])] : [],
          )
          if (fixed.length > 0) return { ok: false, refusals: fixed }
          const requests = rows.map(({ cells }) => {
            const branch = byCode.get(`${cells.bankCode} ${cells.branchCode}`)
            if (!branch) throw new Error('a row was resolved without its branch')
            return {
              organizationId: BigInt(cells.organizationId ?? 0),
              bankId: branch.bankId,
              bankBranchId: branch.id,
              typeName: choiceOf(ACCOUNT_TYPES, cells.typeName) ?? 'ordinary',
              number: cells.number ?? '',
              holder: cells.holder ?? '',
            }
          })
          const asking = write.as('write:create', 'insight:bank_account.')
          const requested = await requestBankAccounts(asking, requests, uploadedByUid ?? write.viewer.uid)
          if (!requested.ok || uploadedByUid === undefined) return requested
          return approveBankAccounts(write.as('write:update', 'insight:bank_account.'), requested.value)
        },
      }
    },
  }
}

function keyOf({ organizationId, bankCode, branchCode, typeName, number }: Cells): string {
  return [organizationId, bankCode, branchCode, typeName, number].join(' ')
}
