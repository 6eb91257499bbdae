import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, refused } from '@pc/domain/result.ts'
import { truncate } from '@pc/domain/text/truncate.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { AgreementReferences } from './agreement-references.ts'
import { type AgreementUseCases, monthCell, monthNumber } from './agreement-use-cases.ts'
import { accountCells, accountPlaceCells, accountPlaceColumns, holderColumn } from './bank-accounts-kind.ts'
import { codeColumn, monthColumn } from './import-columns.ts'
import type { Cells, ImportKind, PresentRow, Refused, RowToSave } from './import-kind.ts'
import { MAX_SHOWN } from './references.ts'

const COLUMNS = [
  codeColumn('code', {
    header: '契約コード',
    isRequired: true,
    example: 'AG-001',
    definition: '登録済みの契約のコードです。',
  }),
  monthColumn('usedFromMonth', {
    header: '利用開始月',
    isRequired: true,
    example: '2026-04',
    definition: 'この口座に振り込む最初の支払月です。口座が変わった月ごとに1行にします。確定した月は変更できません。',
  }),
  ...accountPlaceColumns({ number: '契約の組織の、承認済みの口座の番号です。' }),
  holderColumn({ emptyKeeps: true, definition: '確認用です。登録済みの口座の名義になります。' }),
]

/** Imports the bank account that an agreement is paid to from a month on. */
export function agreementAccountsKind({ clock, updateAgreements }: AgreementUseCases): ImportKind {
  return {
    name: 'agreement-accounts',
    showsAccounts: true,
    title: '契約の振込口座',
    description:
      '1行が、ある契約で、ある支払月から使う口座です。先に契約と口座を取り込んでください。承認した口座は、3日後から指定できます。',
    fileName: 'agreement_accounts',
    needs: [
      ['write:update', 'insight:agreement.'],
      ['write:update', 'insight:agreement_bank_account.'],
      ['read:list', 'insight:bank_account.'],
    ],
    needsStepUp: true,
    columns: COLUMNS,
    async open(reader) {
      const agreements = await reader
        .selectFrom('agreements')
        .select(['id', 'code', 'organizationId', 'revision'])
        .execute()
      const references = new AgreementReferences(agreements)
      const accounts = await readAccounts(reader)
      const uses = await readUses(reader)
      const usesOf = Map.groupBy(uses, ({ code }) => plainAgreementCode(code))
      const cellsOf = new Map(accounts.map(one => [one.id, accountCells(one)]))
      const approved = accounts.filter(({ state }) => state === 'approved')
      const idsOf = Map.groupBy(approved, one => placeKey(one.organizationId, accountCells(one)))
      /** When an account was registered twice, the registration in use; otherwise the newest. */
      const accountOf = (cells: Cells): bigint | undefined => {
        const agreement = references.find(cells)
        const ids = (idsOf.get(placeKey(agreement?.organizationId ?? 0n, cells)) ?? []).map(({ id }) => id)
        const used = usesOf.get(plainAgreementCode(cells.code ?? ''))?.map(use => use.bankAccountId) ?? []
        return ids.find(id => used.includes(id)) ?? ids.at(-1)
      }
      return {
        present: uses.map(({ code, usedFromMonth, bankAccountId }): PresentRow => {
          const cells = { code, usedFromMonth: monthCell(usedFromMonth), ...cellsOf.get(bankAccountId) }
          return { key: keyOf(cells), cells }
        }),
        resolve(cells) {
          const agreement = references.demand(cells)
          if (!agreement.ok) return agreement
          const { code } = agreement.value
          const place = accountPlaceCells(cells)
          const id = accountOf({ ...place, code })
          if (id !== undefined) return ok({ ...cells, code, ...cellsOf.get(id) })
          const value = truncate(`${place.bankCode}-${place.branchCode} ${place.typeName} ${place.number}`, MAX_SHOWN)
          const remedy = 'この契約の組織の、承認済みの口座を指定してください。'
          return refused(refusal('import/reference-unknown', ['number'], { noun: '口座', value, remedy }))
        },
        keyOf,
        recordIdsOf: cells => ({ ...references.recordIdsOf(cells), bankAccountId: String(accountOf(cells)) }),
        groupOf: ({ code = '', usedFromMonth = '' }) => ({ group: plainAgreementCode(code), order: usedFromMonth }),
        savesGroupsWhole: true,
        async save(write, rows) {
          const groups = [...Map.groupBy(rows.keys(), place => plainAgreementCode(rows[place]!.cells.code ?? ''))]
          const lists = groups.map(([code, places]) => wantedOf(usesOf.get(code) ?? [], rows, places, accountOf))
          const submissions = groups.map(([code], at) => {
            const { id, revision: expectedRevision } = references.of({ code })
            const accounts = lists[at]!.map(({ bankAccountId, usedFromMonth }) => ({ bankAccountId, usedFromMonth }))
            const path = [at]
            return { input: { id, expectedRevision, terms: {} }, accounts, path, accountsPath: path }
          })
          const saved = await updateAgreements(write.as('write:update', 'insight:agreement.'), clock, submissions)
          if (saved.ok) return saved
          const atItsRow = ({ code, path: [group, ...rest], data }: Refused) => {
            const listed = lists[Number(group)]?.[Number(rest[0])]
            return refusal(code, [listed?.place ?? groups[Number(group)]![1][0]!, ...rest], data)
          }
          return { ok: false, refusals: saved.refusals.map(atItsRow) }
        },
      }
    },
  }
}

interface Use {
  readonly bankAccountId: bigint
  readonly usedFromMonth: YearMonth
}

/** The agreement's complete new list of accounts: months in the file are replaced, others are kept. */
function wantedOf(
  present: readonly Use[],
  rows: readonly RowToSave[],
  places: readonly number[],
  accountOf: (cells: Cells) => bigint | undefined,
): readonly (Use & { readonly place?: number })[] {
  const given = places.map(place => {
    const { cells } = rows[place]!
    const [bankAccountId, usedFromMonth] = [accountOf(cells), monthNumber(cells.usedFromMonth)]
    if (bankAccountId === undefined || usedFromMonth === undefined)
      throw new Error('a row was resolved without its account')
    return { bankAccountId, usedFromMonth, place }
  })
  const others = present.filter(use => !given.some(one => one.usedFromMonth === use.usedFromMonth))
  return [...given, ...others]
}

function keyOf({ code = '', usedFromMonth = '' }: Cells): string {
  return `${plainAgreementCode(code)} ${usedFromMonth}`
}

function placeKey(organizationId: bigint, { bankCode, branchCode, typeName, number }: Cells): string {
  return [organizationId, bankCode, branchCode, typeName, number].join(' ')
}

async function readAccounts(reader: Reader) {
  return reader
    .selectFrom('bankAccounts as a')
    .innerJoin('bankBranches as r', 'r.id', 'a.bankBranchId')
    .innerJoin('banks as b', 'b.id', 'a.bankId')
    .select(['a.id', 'a.organizationId', 'a.state', 'a.typeName', 'a.number', 'a.holder'])
    .select(['b.code as bankCode', 'b.name as bankName', 'r.code as branchCode', 'r.name as branchName'])
    .orderBy('a.id')
    .execute()
}

async function readUses(reader: Reader) {
  const rows = await reader
    .selectFrom('agreementBankAccounts as u')
    .innerJoin('agreements as a', 'a.id', 'u.agreementId')
    .select(['a.code', 'u.bankAccountId', 'u.usedFromMonth'])
    .orderBy('a.id')
    .orderBy('u.usedFromMonth')
    .execute()
  return rows.map(({ usedFromMonth, ...row }) => ({ ...row, usedFromMonth: usedFromMonth as YearMonth }))
}
