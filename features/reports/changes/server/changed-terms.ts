import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { rateText } from '@pc/domain/money/rate.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { MetricIdentity } from '@pc/domain/report/metric-identity.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import type { ReportScope } from '../../core/server/report-scope.ts'
import { scopeInPostgres } from '../../core/server/scope-in-postgres.ts'

/** Rates of a publisher's agreement that differ from those on the first compared day. */
export interface ChangedTerms {
  readonly publisherId: bigint
  readonly publisherName: string
  readonly mediumName: string
  readonly validFrom: YearMonth
  /** 自社広告 50% → 55% */
  readonly rates: readonly string[]
}

const RATES = [
  ['paymentRate', '自社広告'],
  ['sspPaymentRate', 'SSP'],
  ['videoSspPaymentRate', '動画SSP'],
  ['liveSspPaymentRate', 'ライブSSP'],
] as const

/** Whether the metric depends on the rates of agreements: it does when it contains the publisher's revenue. */
export function dependsOnTerms({ of, less = [] }: MetricIdentity): boolean {
  return [...of, ...less].includes('publisherTotalRevenue')
}

/** Listed changes; with more, a reader can filter by publisher. */
const MAX_CHANGED_TERMS = 20

/**
 * Rates that changed between the first compared day and the last day, for publishers and media of the scope, latest first.
 * Tested by `features/reports/changes/server/change-rows.test.ts`.
 */
export async function readChangedTerms(
  reader: Reader,
  scope: ReportScope,
  compared: DayRange,
  range: DayRange,
): Promise<readonly ChangedTerms[]> {
  const [first, last] = [monthOfDay(compared.from), monthOfDay(range.to)]
  if (first === last) return []
  const changed = reader
    .selectFrom('agreementPublisherRuleHistory as x')
    .select('x.ruleId')
    .where('x.validFromMonth', '>', first)
    .where('x.validFromMonth', '<=', last)
  const rows = await reader
    .selectFrom('agreementPublisherRules as r')
    .innerJoin('agreementPublisherRuleHistory as h', 'h.ruleId', 'r.id')
    .innerJoin('publishers as p', 'p.id', 'r.publisherId')
    .innerJoin('media as m', 'm.id', 'r.mediumId')
    .select(['r.id', 'r.publisherId', 'p.name as publisherName', 'm.name as mediumName', 'h.validFromMonth'])
    .select(RATES.map(([column]) => `h.${column}` as const))
    .where('r.id', 'in', changed)
    .where('h.validFromMonth', '<=', last)
    .where(scopeInPostgres(scope, 'r'))
    .orderBy('r.id')
    .orderBy('h.validFromMonth')
    .execute()
  return [...Map.groupBy(rows, row => row.id).values()]
    .flatMap((versions): ChangedTerms[] =>
      versions.flatMap((version, at) => {
        const before = versions[at - 1]
        const validFrom = version.validFromMonth as YearMonth
        // An agreement's first version changes nothing.
        if (!before || validFrom <= first) return []
        const rates = RATES.flatMap(([column, label]) =>
          before[column] === version[column]
            ? []
            : [`${label} ${rateText(before[column] ?? 0)} → ${rateText(version[column] ?? 0)}`],
        )
        const { publisherId, publisherName, mediumName } = version
        return rates.length === 0 ? [] : [{ publisherId, publisherName, mediumName, validFrom, rates }]
      }),
    )
    .toSorted((a, b) => b.validFrom - a.validFrom)
    .slice(0, MAX_CHANGED_TERMS)
}

/** 2026年11月分から：あおい新聞社（みどりニュース）の支払率 自社広告 50% → 55% */
export function changedTermsText({ publisherName, mediumName, validFrom, rates }: ChangedTerms): string {
  return `${monthText(validFrom)}分から：${publisherName}（${mediumName}）の支払率　${rates.join('、')}`
}
