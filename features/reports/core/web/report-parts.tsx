import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { EntityCondition } from '@pc/domain/condition/entity-filter.ts'
import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { COMPARISON_LABELS, COMPARISONS, type Comparison } from '@pc/domain/report/comparison.ts'
import { type LateMedia, lateMediaText } from '@pc/domain/report/late-media.ja.ts'
import { SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import { type ComparedAnswer, daysLabel, nothingCompared, ownDaysText } from './compared-series.ts'
import { rangeLabel } from './period-label.ts'
import styles from './report.module.css'
import { MediumFilter, OrganizationFilter, PublisherFilter } from './report-filters.tsx'

/** The filters of every report: medium, organisation (staff only) and publisher. */
export function EntityFilters(props: {
  condition: EntityCondition
  onChange: (change: Partial<EntityCondition>) => void
  viewer: Viewer
}) {
  const { condition, onChange, viewer } = props
  return (
    <>
      <MediumFilter value={condition.mediumId} onChange={mediumId => onChange({ mediumId })} />
      {isStaffViewer(viewer) && (
        <OrganizationFilter
          value={condition.organizationId}
          onChange={organizationId => onChange({ organizationId })}
        />
      )}
      <PublisherFilter value={condition.publisherId} onChange={publisherId => onChange({ publisherId })} />
    </>
  )
}

const COMPARISON_OPTIONS = COMPARISONS.map(value => ({ value, label: COMPARISON_LABELS[value] }))

export function ComparisonFilter<T extends Comparison | 'none'>(props: {
  value: T
  onChange: (value: T) => void
  isOptional: T extends 'none' ? true : boolean
}) {
  const options: readonly { value: Comparison | 'none'; label: string }[] = props.isOptional
    ? [{ value: 'none', label: 'なし' }, ...COMPARISON_OPTIONS]
    : COMPARISON_OPTIONS
  return (
    <SelectFilter<Comparison | 'none'>
      label="比較"
      options={options}
      value={props.value}
      // The value is one of the options, and 'none' is an option only when `isOptional`; hence the cast.
      onChange={value => props.onChange(value as T)}
    />
  )
}

/** The text of an empty report: missing data does not mean 0. @param noun of the rows; undefined: periods */
export function nothingIn(noun?: string) {
  return {
    title: `この期間の${noun === undefined ? '' : `${noun}の`}データはありません`,
    hint: '期間を変更してください。「データなし」は0回・0円とは異なります。',
  }
}

/** The shown and compared days, and how far the data has arrived. */
export function PeriodNote(props: {
  range: DayRange
  compareWith: Comparison | 'none'
  /** Undefined: still loading. */
  stats: (ComparedAnswer & { readonly dataUntil: string | null }) | null | undefined
}) {
  const { range, compareWith, stats } = props
  const texts = [
    `集計期間：${rangeLabel(range)}`,
    compareWith === 'none' || !stats?.totals ? undefined : `比較：${comparedText(stats)}`,
    stats ? freshnessText(stats) : undefined,
  ]
  return (
    <p className={styles.note}>
      {texts
        .filter(text => text !== undefined)
        .map(text => (
          <span key={text}>{text}　</span>
        ))}
    </p>
  )
}

function comparedText(answer: ComparedAnswer): string {
  const compared = answer.totals?.compared
  return `${compared ? daysLabel(compared) : nothingCompared(answer)}${ownDaysText(answer)}`
}

function freshnessText({ dataUntil, lateMedia }: { dataUntil: string | null; lateMedia: LateMedia }): string {
  const until: Day | undefined = parseDay(dataUntil ?? '')
  if (!until) return '集計済みのデータはまだありません'
  const late = lateMediaText(lateMedia)
  return `集計済み：${dayText(until)}まで${late ? `（${late}）` : ''}`
}
