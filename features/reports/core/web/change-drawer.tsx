import { useQuery } from '@apollo/client/react'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { type EntityCondition, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { COMPARISON_LABELS, type Comparison, comparedRange, NOTHING_COMPARABLE } from '@pc/domain/report/comparison.ts'
import { lateMediaText, OWN_DAYS } from '@pc/domain/report/late-media.ja.ts'
import { Waterfall, type WaterfallStep } from '@pc/ui/chart/waterfall.tsx'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { contentCondition } from '../../content-condition.ts'
import { articleReportPath, videoReportPath } from '../../links.ts'
import {
  type ChangeDimension,
  type ChangeMetric,
  type ChangePartFieldsFragment,
  ExplainChangeDocument,
  type ExplainChangeQuery,
} from './change-drawer.gen.ts'
import styles from './change-drawer.module.css'
import { changeFileName, changeTable } from './change-file.ts'
import { ChangeMembers } from './change-members.tsx'
import { changeText, levelText, stepsOf, valueText } from './change-text.ts'
import { rangeLabel } from './period-label.ts'
import { dashboardAddress } from './publisher-links.ts'

type Change = NonNullable<ExplainChangeQuery['explainChange']>
type Note = NonNullable<ExplainChangeQuery['annotations']>['nodes'][number]

export interface ChangeDrawerProps {
  metric: ChangeMetric
  range: DayRange
  compareWith: Comparison
  entities: EntityCondition
  onClose: () => void
}

/** Why a figure differs from the one that it is compared with: a sentence, then parts that sum to the difference. */
export function ChangeDrawer({ metric, range, compareWith, entities, onClose }: ChangeDrawerProps) {
  const viewer = useViewer()
  const filter = filterArguments(entities)
  const before = comparedRange(compareWith, range)
  const ofNotes = {
    ...(filter.publisherIds ? { publisherIds: filter.publisherIds } : {}),
    ...(filter.mediumIds ? { mediumIds: filter.mediumIds } : {}),
  }
  const { data, loading, error, refetch } = useQuery(ExplainChangeDocument, {
    variables: {
      param: { metric, ...range, compareWith, ...filter },
      notes: { ...range, ...ofNotes },
      earlierNotes: { ...(before ?? range), ...ofNotes },
      withNotes: viewer.can('read:list', 'insight:annotation.'),
    },
  })
  const change = data?.explainChange
  return (
    <Dialog title="増減の理由" size="drawer" onClose={onClose} actions={change && <CsvButton change={change} />}>
      <div className={styles.drawer} aria-busy={loading}>
        {change ? (
          <Explained {...{ change, compareWith, entities, onClose }} notes={notesOf(data)} />
        ) : loading ? (
          <div role="status" aria-label="読み込み中">
            <Skeleton height={88} />
            <Skeleton height={240} />
          </div>
        ) : error ? (
          <FailedContent onRetry={() => void refetch()} />
        ) : (
          <p>{`${NOTHING_COMPARABLE}。期間か絞り込みを変えてください。`}</p>
        )}
      </div>
    </Dialog>
  )
}

interface ExplainedProps {
  change: Change
  compareWith: Comparison
  entities: EntityCondition
  notes: readonly Note[]
  onClose: () => void
}

function Explained({ change, compareWith, entities, notes, onClose }: ExplainedProps) {
  const rangeOf = (from: string, to: string) => rangeLabel({ from: day(from), to: day(to) })
  const late = lateMediaText(change.lateMedia)
  return (
    <>
      <p className={styles.sentence} role="status">
        {change.sentence}
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>期間</dt>
          <dd>{rangeOf(change.from, change.to)}</dd>
        </div>
        <div>
          <dt>{COMPARISON_LABELS[compareWith]}</dt>
          <dd>{rangeOf(change.comparedFrom, change.comparedTo)}</dd>
        </div>
        {late && (
          <div>
            <dt>データの到着</dt>
            <dd>{`${late}。${OWN_DAYS}。`}</dd>
          </div>
        )}
      </dl>
      {change.factors.length > 1 && (
        <section>
          <h3>要素ごとの増減</h3>
          <Factors change={change} />
        </section>
      )}
      {change.dimensions.length > 0 && <Breakdown {...{ change, compareWith, entities, onClose }} />}
      {notes.length > 0 && <NoteList notes={notes} />}
    </>
  )
}

/** From before to now: volume, rate and price. */
function Factors({ change }: { change: Change }) {
  const { unit } = change
  let level = stepsOf(unit, change.before)
  const first: WaterfallStep = { name: 'before', label: '比較する期間', amount: level, level, lines: [] }
  const steps = change.factors.map((factor): WaterfallStep => {
    const amount = stepsOf(unit, factor.difference)
    level += amount
    const label = `${factor.label}（${valueText(factor.unit, factor.before)} → ${valueText(factor.unit, factor.now)}）`
    return { name: factor.id, label, amount, level, lines: [] }
  })
  const last: WaterfallStep = { name: 'now', label: 'この期間', amount: level, level, lines: [] }
  const header = unit === 'count' ? '回数' : unit === 'ratio' ? '率' : '金額（円）'
  return (
    <Waterfall
      caption="要素ごとの増減"
      steps={[first, ...steps, last]}
      header={header}
      texts={{ level: value => levelText(unit, value), change: value => changeText(unit, value) }}
    />
  )
}

function Breakdown({ change, compareWith, entities, onClose }: Omit<ExplainedProps, 'notes'>) {
  const [chosen, setChosen] = useState<ChangeDimension | undefined>(change.cause ?? undefined)
  const shown = change.dimensions.find(({ dimension }) => dimension === chosen) ?? change.dimensions[0]!
  const linkOf = (part: ChangePartFieldsFragment) =>
    addressOfPart(part, shown.dimension, { change, compareWith, entities })
  return (
    <section>
      <h3>内訳</h3>
      <fieldset className={styles.dimensions}>
        <legend className="visually-hidden">内訳の分け方</legend>
        {change.dimensions.map(({ dimension, label }) => (
          <label key={dimension}>
            <input
              type="radio"
              name="dimension"
              checked={dimension === shown.dimension}
              onChange={() => setChosen(dimension)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <ChangeMembers
        label={shown.label}
        parts={shown.parts}
        unit={change.unit}
        difference={change.difference}
        addressOf={linkOf}
        onFollow={onClose}
      />
    </section>
  )
}

/** The report of the member, with the same days; undefined where there is none. */
function addressOfPart(
  { memberId, publisherId }: ChangePartFieldsFragment,
  dimension: ChangeDimension,
  { change, compareWith, entities }: Omit<ExplainedProps, 'notes' | 'onClose'>,
): string | undefined {
  if (memberId === null) return undefined
  const period = { compareWith, from: day(change.from), to: day(change.to) }
  const kept = { ...entities, ...period }
  const days = contentCondition.format({ ...contentCondition.defaults, ...period })
  switch (dimension) {
    case 'article':
      return addressOf(articleReportPath(memberId, publisherId ?? ''), days)
    case 'video':
      return addressOf(videoReportPath(memberId, publisherId ?? ''), days)
    case 'publisher':
      return dashboardAddress({ ...kept, publisherId: [memberId] })
    case 'medium':
      return dashboardAddress({ ...kept, mediumId: [memberId] })
    case 'day':
      return dashboardAddress({ ...kept, from: day(memberId), to: day(memberId) })
    default:
      return undefined
  }
}

/** Of either range, each note once. */
function notesOf({ annotations, earlierAnnotations }: ExplainChangeQuery): readonly Note[] {
  const found = [...(annotations?.nodes ?? []), ...(earlierAnnotations?.nodes ?? [])]
  return [...new Map(found.map(note => [note.id, note])).values()]
}

function NoteList({ notes }: { notes: readonly Note[] }) {
  return (
    <section>
      <h3>この期間のメモ</h3>
      <ul className={styles.notes}>
        {notes.map(({ id, startsOn, endsOn, text }) => (
          <li key={id}>
            <b>{startsOn === endsOn ? dayText(day(startsOn)) : `${dayText(day(startsOn))}〜${dayText(day(endsOn))}`}</b>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function CsvButton({ change }: { change: Change }) {
  const save = () => downloadCsv(changeFileName(change), changeTable(change))
  return (
    <Button icon={<IconDownload size={16} aria-hidden />} onClick={save}>
      CSV
    </Button>
  )
}
