import { plainAgreementCode } from '@pc/domain/agreement/agreement-texts.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { AgreementReferences } from './agreement-references.ts'
import { monthCell, monthNumber } from './agreement-use-cases.ts'
import { publisherColumns, publisherReferences } from './common-references.ts'
import { isFirstIn } from './first-in-transaction.ts'
import {
  choiceColumn,
  codeColumn,
  monthColumn,
  percentColumn,
  percentText,
  unitsOfPercent,
  wholeNumberColumn,
} from './import-columns.ts'
import type { Cells, ImportKind, PresentRow, Refused } from './import-kind.ts'
import { HistoryCells } from './terms-kind.ts'
import { YES_NO, yesNo } from './workbook-labels.ts'

interface RuleInput {
  readonly agreementId: bigint
  readonly mediumId: undefined
  readonly terms: Readonly<Record<string, bigint | number | boolean>>
  readonly validFromMonth: YearMonth | undefined
  readonly expectedRevision: number | undefined
}
interface RuleUseCases {
  readonly clock: Clock
  saveRules(
    write: Write,
    clock: Clock,
    submissions: readonly {
      readonly publisherId: bigint
      readonly input: RuleInput
      readonly path: readonly (string | number)[]
    }[],
  ): Promise<Result<unknown, Refused>>
}

const RATES = [
  ['paymentRate', '自社広告の支払率（%）', 'ownAdsRateUnits'],
  ['sspPaymentRate', 'SSPの支払率（%）', 'sspRateUnits'],
  ['videoSspPaymentRate', '動画SSPの支払率（%）', 'videoSspRateUnits'],
  ['liveSspPaymentRate', 'ライブSSPの支払率（%）', 'liveSspRateUnits'],
] as const
const TARGETS = [
  ['isTargetForSspAllocation', 'SSPの配分'],
  ['isTargetForVideoSspAllocation', '動画SSPの配分'],
  ['isTargetForLiveSspAllocation', 'ライブSSPの配分'],
] as const
const AMOUNTS = [
  ['fixedRevenue', '固定額（月額、円）', 'fixedRevenueYen'],
  ['minimumRevenue', '最低保証額（月額、円）', 'minimumRevenueYen'],
] as const
const VALUES = [...RATES, ...TARGETS, ...AMOUNTS].map(([key]) => key)

const COLUMNS = [
  codeColumn('code', {
    header: '契約コード',
    isRequired: true,
    fields: ['agreementId'],
    example: 'AG-001',
    definition: '登録済みの契約のコードです。',
  }),
  ...publisherColumns,
  monthColumn('validFromMonth', {
    header: '適用開始月',
    isRequired: true,
    example: '2026-04',
    definition: 'この率を適用する最初の月です。率が変わった月ごとに1行にします。確定した月の率は変更できません。',
  }),
  ...RATES.map(([key, header]) =>
    percentColumn(key, { header, emptyKeeps: true, example: '50', definition: '0〜100で、小数は2桁までです。' }),
  ),
  ...TARGETS.map(([key, header]) =>
    choiceColumn(key, YES_NO, { header, example: 'いいえ', definition: '配分の対象にするかです。' }),
  ),
  ...AMOUNTS.map(([key, header]) =>
    wholeNumberColumn(key, { header, emptyKeeps: true, example: '0', definition: 'このパブリッシャーの月額です。' }),
  ),
]

export function rulesKind({ clock, saveRules }: RuleUseCases): ImportKind {
  return {
    name: 'rules',
    title: 'パブリッシャーの条件',
    description:
      '1行が、ある契約でのあるパブリッシャーの、ある月からの支払率です。先に契約とパブリッシャーを取り込んでください。',
    fileName: 'publisher_rules',
    needs: [
      ['write:create', 'insight:agreement_publisher_rule.'],
      ['write:update', 'insight:agreement_publisher_rule.'],
      ['write:update', 'insight:publisher.'],
      ['write:update', 'insight:payment_rate.'],
    ],
    needsStepUp: true,
    columns: COLUMNS,
    async open(reader) {
      const publishers = await publisherReferences(reader)
      const agreements = await reader.selectFrom('agreements').select(['id', 'code', 'organizationId']).execute()
      const references = new AgreementReferences(agreements)
      const codeOf = new Map(agreements.map(one => [one.id, one.code]))
      const rows = await reader
        .selectFrom('agreementPublisherRuleHistory as h')
        .innerJoin('agreementPublisherRules as r', 'r.id', 'h.ruleId')
        .select(['r.agreementId', 'r.publisherId', 'r.revision'])
        .select(['h.validFromMonth', 'h.fixedRevenueYen', 'h.minimumRevenueYen', 'h.paymentRate', 'h.sspPaymentRate'])
        .select(['h.videoSspPaymentRate', 'h.liveSspPaymentRate', 'h.isTargetForSspAllocation'])
        .select(['h.isTargetForVideoSspAllocation', 'h.isTargetForLiveSspAllocation'])
        .orderBy('r.agreementId')
        .orderBy('r.publisherId')
        .orderBy('h.validFromMonth')
        .execute()
      const revisions = new Map<string, number>()
      const present = rows.map((row): PresentRow => {
        const cells: Cells = {
          code: codeOf.get(row.agreementId) ?? '',
          ...publishers.cellsOf(row.publisherId),
          validFromMonth: monthCell(row.validFromMonth),
          ...Object.fromEntries(RATES.map(([key]) => [key, percentText(row[key] ?? 0)])),
          ...Object.fromEntries(TARGETS.map(([key]) => [key, yesNo(row[key] ?? false)])),
          ...Object.fromEntries(AMOUNTS.map(([key, , column]) => [key, String(row[column] ?? 0n)])),
        }
        revisions.set(ruleOf(cells), row.revision)
        return { key: keyOf(cells), cells }
      })
      const histories = new HistoryCells(present, ruleOf, VALUES)
      return {
        present,
        resolve(cells) {
          const agreement = references.demand(cells)
          if (!agreement.ok) return agreement
          const { code, organizationId } = agreement.value
          const publisher = publishers.demand(cells, one => one.organizationId === organizationId)
          if (!publisher.ok) return publisher
          return ok({ ...cells, code, ...publishers.cellsOf(publisher.value.id) })
        },
        keyOf,
        recordIdsOf: cells => references.recordIdsOf(cells),
        // Only one agreement of a medium may apply to a publisher in a month, so its rules are saved in order of months.
        groupOf: ({ publisherId = '', validFromMonth = '', code = '' }) => ({
          group: publisherId,
          order: `${validFromMonth} ${code}`,
        }),
        holdsAlready: cells => histories.holds(cells),
        save(write, rows) {
          const submissions = rows.map(({ cells }, place) => {
            const agreement = references.of(cells)
            const rule = ruleOf(cells)
            const input = {
              agreementId: agreement.id,
              mediumId: undefined,
              terms: termsOf(cells),
              validFromMonth: monthNumber(cells.validFromMonth),
              expectedRevision: isFirstIn(write.tx, `rule ${rule}`) ? revisions.get(rule) : undefined,
            }
            return { publisherId: BigInt(cells.publisherId ?? 0), input, path: [place] }
          })
          return saveRules(write.as('write:update', 'insight:publisher.'), clock, submissions)
        },
      }
    },
  }
}

/** The terms in cells that are not empty. */
function termsOf(cells: Cells): RuleInput['terms'] {
  const given = (key: string) => cells[key] || undefined
  const terms = [
    ...RATES.map(([key, , name]) => [name, given(key) && unitsOfPercent(cells[key] ?? '')] as const),
    ...TARGETS.map(([key]) => [key, given(key) && cells[key] === YES_NO.true] as const),
    ...AMOUNTS.map(([key, , name]) => [name, given(key) && BigInt(cells[key] ?? 0)] as const),
  ]
  return Object.fromEntries(terms.filter(([, value]) => value !== undefined)) as RuleInput['terms']
}

function ruleOf({ code = '', publisherId = '' }: Cells): string {
  return `${plainAgreementCode(code)} ${publisherId}`
}

function keyOf(cells: Cells): string {
  return `${ruleOf(cells)} ${cells.validFromMonth ?? ''}`
}
