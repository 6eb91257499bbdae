import type { AgreementTerms } from '@pc/domain/agreement/agreement-terms.ts'
import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import { ok } from '@pc/domain/result.ts'
import { AgreementReferences } from './agreement-references.ts'
import { type AgreementUseCases, monthCell, monthNumber } from './agreement-use-cases.ts'
import { isFirstIn } from './first-in-transaction.ts'
import { choiceColumn, choiceOf, codeColumn, monthColumn, wholeNumberColumn } from './import-columns.ts'
import type { Cells, ImportKind, PresentRow } from './import-kind.ts'
import { FEE_PAYERS, MINIMUM_REVENUE_TYPES, PAYMENT_TIMINGS } from './workbook-labels.ts'

const TERMS = ['paymentTiming', 'feePaidBy', 'minimumRevenueType', 'fixedRevenue', 'minimumRevenue', 'payoutThreshold']

const COLUMNS = [
  codeColumn('code', {
    header: '契約コード',
    isRequired: true,
    example: 'AG-001',
    definition: '登録済みの契約のコードです。',
  }),
  monthColumn('validFromMonth', {
    header: '適用開始月',
    isRequired: true,
    example: '2026-04',
    definition: 'この条件を適用する最初の月です。条件が変わった月ごとに1行にします。確定した月の条件は変更できません。',
  }),
  choiceColumn('paymentTiming', PAYMENT_TIMINGS, { header: '支払期日', example: '翌月末', definition: '' }),
  choiceColumn('feePaidBy', FEE_PAYERS, { header: '振込手数料の負担', example: '当社', definition: '' }),
  choiceColumn('minimumRevenueType', MINIMUM_REVENUE_TYPES, { header: '最低保証', example: 'なし', definition: '' }),
  wholeNumberColumn('fixedRevenue', {
    header: '固定額（月額、円）',
    emptyKeeps: true,
    example: '0',
    definition: '毎月の固定額です。',
  }),
  wholeNumberColumn('minimumRevenue', {
    header: '最低保証額（月額、円）',
    emptyKeeps: true,
    example: '0',
    definition: '最低保証が「契約ごと」のときの保証額です。',
  }),
  wholeNumberColumn('payoutThreshold', {
    header: '支払下限額（円）',
    example: '',
    definition: '空のときは、支払設定の金額を使います。',
  }),
]

export function termsKind({ clock, updateAgreements }: AgreementUseCases): ImportKind {
  return {
    name: 'terms',
    title: '契約条件',
    description: '1行が1つの契約の、ある月からの条件です。先に契約を取り込んでください。',
    fileName: 'agreement_terms',
    needs: [
      ['write:update', 'insight:agreement.'],
      ['write:update', 'insight:in_house_field.'],
    ],
    needsStepUp: true,
    columns: COLUMNS,
    async open(reader) {
      const agreements = await reader.selectFrom('agreements').select(['id', 'code', 'revision']).execute()
      const references = new AgreementReferences(agreements)
      const codeOf = new Map(agreements.map(one => [one.id, one.code]))
      const rows = await reader
        .selectFrom('agreementTermsHistory')
        .selectAll()
        .orderBy('agreementId')
        .orderBy('validFromMonth')
        .execute()
      const present = rows.map((row): PresentRow => {
        const cells = {
          code: codeOf.get(row.agreementId ?? 0n) ?? '',
          validFromMonth: monthCell(row.validFromMonth),
          paymentTiming: PAYMENT_TIMINGS[row.paymentTiming as keyof typeof PAYMENT_TIMINGS],
          feePaidBy: FEE_PAYERS[row.feePaidBy as keyof typeof FEE_PAYERS],
          minimumRevenueType: MINIMUM_REVENUE_TYPES[row.minimumRevenueType as keyof typeof MINIMUM_REVENUE_TYPES],
          fixedRevenue: String(row.fixedRevenueYen ?? 0n),
          minimumRevenue: String(row.minimumRevenueYen ?? 0n),
          payoutThreshold: row.payoutThresholdYen === null ? '' : String(row.payoutThresholdYen),
        }
        return { key: keyOf(cells), cells }
      })
      const histories = new HistoryCells(present, ({ code = '' }) => plainAgreementCode(code), TERMS)
      return {
        present,
        resolve(cells) {
          const agreement = references.demand(cells)
          return agreement.ok ? ok({ ...cells, code: agreement.value.code }) : agreement
        },
        keyOf,
        recordIdsOf: cells => references.recordIdsOf(cells),
        groupOf: ({ code = '', validFromMonth = '' }) => ({ group: plainAgreementCode(code), order: validFromMonth }),
        holdsAlready: cells => histories.holds(cells),
        save(write, rows) {
          const submissions = rows.map(({ cells }, place) => {
            const agreement = references.of(cells)
            const input = {
              id: agreement.id,
              terms: termsOf(cells),
              validFromMonth: monthNumber(cells.validFromMonth),
              expectedRevision: isFirstIn(write.tx, `agreement ${agreement.id}`) ? agreement.revision : undefined,
            }
            return { input, accounts: undefined, path: [place], accountsPath: [place] }
          })
          return updateAgreements(write.as('write:update', 'insight:agreement.'), clock, submissions)
        },
      }
    },
  }
}

/** An empty threshold means the platform's setting; other empty cells leave the value unchanged. */
function termsOf(cells: Cells): Partial<AgreementTerms> {
  const yen = (text: string | undefined) => (text ? BigInt(text) : undefined)
  const terms = {
    paymentTiming: choiceOf(PAYMENT_TIMINGS, cells.paymentTiming),
    feePaidBy: choiceOf(FEE_PAYERS, cells.feePaidBy),
    minimumRevenueType: choiceOf(MINIMUM_REVENUE_TYPES, cells.minimumRevenueType),
    fixedRevenueYen: yen(cells.fixedRevenue),
    minimumRevenueYen: yen(cells.minimumRevenue),
  }
  const given = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined))
  return { ...given, payoutThresholdYen: yen(cells.payoutThreshold) ?? null }
}

function keyOf({ code = '', validFromMonth = '' }: Cells): string {
  return `${plainAgreementCode(code)} ${validFromMonth}`
}

/** Versions of records by month. A month without its own version has the values of the version before it. */
export class HistoryCells {
  readonly #histories = new Map<string, Cells[]>()
  readonly #recordOf: (cells: Cells) => string
  readonly #values: readonly string[]

  constructor(present: readonly PresentRow[], recordOf: (cells: Cells) => string, values: readonly string[]) {
    this.#recordOf = recordOf
    this.#values = values
    for (const { cells } of present) {
      const history = this.#histories.get(recordOf(cells))
      if (history) history.push(cells)
      else this.#histories.set(recordOf(cells), [cells])
    }
  }

  /** Whether the row's values apply in its month already; empty cells are ignored. */
  holds(cells: Cells): boolean {
    const history = this.#histories.get(this.#recordOf(cells)) ?? []
    const month = cells.validFromMonth ?? ''
    const inForce = history.findLast(one => (one.validFromMonth ?? '') <= month)
    return inForce !== undefined && this.#values.every(key => cells[key] === inForce[key])
  }
}
