import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import {
  COMPARISON_LABELS,
  type Comparison,
  NOTHING_COMPARABLE,
  ONLY_ROWS_COMPARABLE,
} from '@pc/domain/report/comparison.ts'
import { GRANULARITY_LABELS, type Granularity } from '@pc/domain/report/granularity.ts'
import { lateMediaText, OWN_DAYS } from '@pc/domain/report/late-media.ja.ts'
import { ORDER_BASIS_LABELS } from '@pc/domain/report/order-by-change.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { ARTICLES_ONLY } from '../../articles-only.ts'
import type { MasterFilter } from '../../core/server/content-filter.ts'
import { readFilterNames } from '../../core/server/filter-names.ts'
import type { ChangedBy } from '../../core/server/order-by-change.ts'
import type { LateMedium } from '../../core/server/report-plan.ts'
import type { EntityFilter } from '../../core/server/report-scope.ts'

type Fact = readonly [label: string, text: string]

interface About {
  readonly range: DayRange
  readonly compareWith: Comparison | undefined
  readonly compared: DayRange | null
  /** Whether any row of the file is compared. */
  readonly hasComparedRows: boolean
  readonly lateMedia: readonly LateMedium[]
  /** Undefined when rows are not periods. */
  readonly granularity: Granularity | undefined
  readonly filter: EntityFilter
  readonly dataUntil: Day | null
  readonly master?: MasterFilter
  readonly isOfArticlesOnly?: boolean
  readonly changedBy?: ChangedBy
}

/** The lines of a file's header, in Japanese: period, comparison, filters by name, freshness of the data. */
export async function exportFacts(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  scope: Scope,
  {
    range,
    compareWith,
    compared,
    hasComparedRows,
    lateMedia,
    granularity,
    filter,
    dataUntil,
    master,
    isOfArticlesOnly = false,
    changedBy,
  }: About,
): Promise<readonly Fact[]> {
  const facts: Fact[] = [['集計期間', rangeText(range)]]
  if (compareWith) {
    const days = compared ? rangeText(compared) : hasComparedRows ? ONLY_ROWS_COMPARABLE : NOTHING_COMPARABLE
    const how = hasComparedRows && lateMedia.length > 0 ? `。${OWN_DAYS}` : ''
    facts.push(['比較', `${COMPARISON_LABELS[compareWith]}（${days}${how}）`])
  }
  if (granularity) facts.push(['集計単位', GRANULARITY_LABELS[granularity]])
  facts.push(...(await filterFacts(database, scope, { ...filter, feedIds: master?.feedIds })))
  if (master && master.words.length > 0) facts.push(['タイトル', master.words.join(' ')])
  if (changedBy) facts.push(['並べ替えの基準', changedByText(changedBy)])
  if (isOfArticlesOnly) facts.push(['集計の対象', ARTICLES_ONLY])
  const late = lateMediaText(lateMedia)
  const until = dataUntil ? `${dayText(dataUntil)}まで` : 'データはまだありません'
  facts.push(['集計済み', late ? `${until}（${late}）` : until])
  facts.push(['書き出した日時', `${instants.format(clock.now())}（日本時間）`])
  return facts
}

const instants = new Intl.DateTimeFormat('ja-JP', { timeZone: 'Asia/Tokyo', dateStyle: 'long', timeStyle: 'short' })

/** 増減率（±10%以上） */
function changedByText({ basis, min }: ChangedBy): string {
  const least = min === undefined ? '' : `（±${min}${basis === 'percent' ? '%' : ''}以上）`
  return `${ORDER_BASIS_LABELS[basis]}${least}`
}

/** The filter's entities by name; by id those outside the scope. */
async function filterFacts(
  database: Database,
  scope: Scope,
  filter: EntityFilter & Pick<MasterFilter, 'feedIds'>,
): Promise<readonly Fact[]> {
  const found = await readFilterNames(database, scope, filter)
  return found.flatMap(({ noun, ids, names }): Fact[] =>
    ids.length === 0 ? [] : [[noun, ids.map(id => names.get(id) ?? `ID ${id}`).join('、')]],
  )
}

const rangeText = ({ from, to }: DayRange) => (from === to ? dayText(from) : `${dayText(from)}〜${dayText(to)}`)
