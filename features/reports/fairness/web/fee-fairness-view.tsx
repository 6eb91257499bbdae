import { useQuery } from '@apollo/client/react'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, monthOfDay, parseYearMonth } from '@pc/domain/month/year-month.ts'
import { MIN_PUBLISHERS } from '@pc/domain/report/fee-range.ts'
import { Badge, type BadgeTone, Card } from '@pc/ui/elements/card.tsx'
import { SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { MonthPicker } from '@pc/ui/filter/month-picker.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger, formatRateUnits, NO_VALUE } from '@pc/ui/text/format.ts'
import { figureText } from '../../core/web/figure-text.ts'
import { ReportMediaDocument } from '../../core/web/report-options.gen.ts'
import type { FairnessCondition, FairnessSortColumn } from '../../fairness-condition.ts'
import { FAIRNESS_DEFINITIONS } from '../../fairness-definitions.ts'
import { PUBLISHER_RANKING_PATH } from '../../links.ts'
import type { FeeFairnessQuery } from './fee-fairness.gen.ts'
import styles from './fee-fairness.module.css'
import { FeeRangeBar } from './fee-range-bar.tsx'

type Props = ScreenProps<FairnessCondition, FeeFairnessQuery>
type Fairness = NonNullable<FeeFairnessQuery['fairness']>
type Row = Fairness['nodes'][number]

/** The effective fee per 1,000 views of every publisher of a medium, with the usual range. Staff only. */
export function FeeFairnessView(props: Props) {
  const { condition, setCondition, today, data, error, isLoading } = props
  const fairness = data?.fairness
  const month = condition.month ?? parseYearMonth(fairness?.month ?? '') ?? addMonths(monthOfDay(today), -1)
  return (
    <>
      <header className={styles.top}>
        <h1>対価の比較</h1>
        <Badge tone="mute">運営のみ</Badge>
        <a href={addressOf(PUBLISHER_RANKING_PATH)} className={styles.back}>
          パブリッシャーランキング
        </a>
        <div className={styles.tools}>
          <MediumSelect
            value={condition.mediumId ?? fairness?.mediumId}
            onChange={mediumId => setCondition({ mediumId })}
          />
          <MonthPicker label="対象月" value={month} today={today} onChange={next => setCondition({ month: next })} />
        </div>
      </header>
      <p className={styles.note}>
        確定した月に、閲覧・再生1,000回あたりで実際に支払う対価（固定費・最低保証を含む、税抜）を、同じ媒体のパブリッシャーどうしで比べます。
      </p>
      <div className={styles.content} aria-busy={isLoading}>
        {fairness ? (
          <Content fairness={fairness} condition={condition} setCondition={setCondition} isLoading={isLoading} />
        ) : error && !isLoading ? (
          <Card title="対価の比較">
            <FailedContent onRetry={props.retry} />
          </Card>
        ) : (
          <Skeleton height={420} />
        )}
      </div>
    </>
  )
}

function MediumSelect({ value, onChange }: { value: string | undefined; onChange: (id: string) => void }) {
  const { data } = useQuery(ReportMediaDocument)
  const options = (data?.availableMedia?.nodes ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <SelectFilter label="媒体" options={options} value={value ?? ''} onChange={onChange} />
}

interface ContentProps extends Pick<Props, 'condition' | 'setCondition' | 'isLoading'> {
  fairness: Fairness
}

function Content({ fairness, condition, setCondition, isLoading }: ContentProps) {
  const { range, nodes } = fairness
  const month = parseYearMonth(fairness.month ?? '')
  const sort = sortOf(condition.sort)
  return (
    <>
      {range && (
        <Card
          title="閲覧・再生1,000回あたりの対価の分布"
          note={`${fairness.mediumName}・${month ? monthText(month) : ''}分`}
        >
          <dl className={styles.range}>
            {RANGE_LABELS.map(([key, label]) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd>
                  {figureText('yen-tenths', range[key])}
                  <small>円</small>
                </dd>
              </div>
            ))}
            <div>
              <dt>料率の中央値</dt>
              <dd>{formatRateUnits(range.medianRateUnits)}</dd>
            </div>
          </dl>
        </Card>
      )}
      <Card
        title="パブリッシャー別の対価"
        note={
          range
            ? ''
            : nodes.length > 0
              ? `閲覧・再生のあるパブリッシャーが${MIN_PUBLISHERS}つに満たないため、分布とは比べられません`
              : ''
        }
        flush
      >
        <DataTable
          caption="パブリッシャー別の対価"
          columns={columnsFor(range)}
          rows={nodes}
          rowKey={row => row.publisherId}
          sort={sort}
          onSort={next =>
            setCondition({ sort: `${next.isDescending ? '-' : ''}${next.columnId}` as FairnessCondition['sort'] })
          }
          isLoading={isLoading}
          empty={{
            title: month ? `${monthText(month)}分の支払はありません` : 'この月はまだ確定していません',
            hint: '確定した月だけを比べられます。対象月か媒体を変更してください。',
          }}
        />
      </Card>
    </>
  )
}

const RANGE_LABELS = [
  ['lowest', '最も低い'],
  ['firstQuartile', '下位4分の1'],
  ['median', '中央値'],
  ['thirdQuartile', '上位4分の1'],
  ['highest', '最も高い'],
] as const

function sortOf(sort: FairnessCondition['sort']): Sort {
  return { columnId: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') }
}

const POSITIONS: Readonly<Record<NonNullable<Row['position']>, { label: string; tone: BadgeTone; order: number }>> = {
  below: { label: '低め', tone: 'warn', order: 0 },
  within: { label: '標準', tone: 'mute', order: 1 },
  above: { label: '高め', tone: 'ok', order: 2 },
}
const REASONS: Readonly<Record<Row['reasons'][number], string>> = {
  lower_rate: '料率が中央値より低い',
  higher_rate: '料率が中央値より高い',
  fixed: '固定費を含む',
  minimum: '最低保証の補填を含む',
}

/** Column ids are the condition's sort names, so that a sortable column without one does not compile; reasons have no sort. */
type FairnessColumn = Column<Row> & { readonly id: FairnessSortColumn | 'reasons' }

function columnsFor(range: Fairness['range']): FairnessColumn[] {
  const figure = (
    id: keyof typeof FAIRNESS_DEFINITIONS & FairnessSortColumn,
    header: string,
    sortValueOf: (row: Row) => number | null,
    text: (row: Row) => string,
  ): FairnessColumn => ({
    ...{ id, header, isFigure: true, description: FAIRNESS_DEFINITIONS[id] },
    cell: text,
    sortValue: sortValueOf,
  })
  return [
    {
      ...{ id: 'publisher', header: 'パブリッシャー', isHeading: true },
      cell: row => row.publisherName,
      sortValue: row => row.publisherName,
    },
    figure(
      'perMille',
      '閲覧・再生1,000回あたり（円）',
      row => row.perMille,
      row => figureText('yen-tenths', row.perMille),
    ),
    {
      ...{ id: 'position', header: '位置', description: FAIRNESS_DEFINITIONS.position },
      cell: row => (
        <span className={styles.position}>
          {row.position ? <Badge tone={POSITIONS[row.position].tone}>{POSITIONS[row.position].label}</Badge> : NO_VALUE}
          {range && row.perMille !== null && <FeeRangeBar range={range} value={row.perMille} />}
        </span>
      ),
      sortValue: row => (row.position ? POSITIONS[row.position].order : null),
    },
    {
      ...{ id: 'reasons', header: '理由' },
      cell: row => (row.reasons.length > 0 ? row.reasons.map(reason => REASONS[reason]).join('、') : NO_VALUE),
    },
    figure(
      'views',
      '閲覧・再生数',
      row => row.views,
      row => formatInteger(row.views),
    ),
    figure(
      'fee',
      '対価（円）',
      row => row.fee,
      row => formatInteger(row.fee),
    ),
    figure(
      'rate',
      '料率',
      row => row.rateUnits,
      row => formatRateUnits(row.rateUnits),
    ),
    figure(
      'fixed',
      'うち固定費（円）',
      row => row.fixed,
      row => formatInteger(row.fixed),
    ),
    figure(
      'minimumTopUp',
      'うち最低保証（円）',
      row => row.minimumTopUp,
      row => formatInteger(row.minimumTopUp),
    ),
  ]
}
