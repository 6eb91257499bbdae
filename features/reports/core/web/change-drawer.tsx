import { useQuery } from '@apollo/client/react'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { entitiesOf, type FilterCondition, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { day } from '@pc/domain/month/day.ts'
import { COMPARISON_LABELS, type Comparison, comparedRange, NOTHING_COMPARABLE } from '@pc/domain/report/comparison.ts'
import { lateMediaText, OWN_DAYS } from '@pc/domain/report/late-media.ja.ts'
import { Waterfall, type WaterfallStep } from '@pc/ui/chart/waterfall.tsx'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import { IconArrowLeft, IconDownload } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { contentCondition } from '../../content-condition.ts'
import { articleReportPath, videoReportPath } from '../../links.ts'
import {
  type ChangeDimension,
  type ChangeMetric,
  type ChangePartFieldsFragment,
  type ChangeSubject,
  type ChangeUnit,
  ExplainChangeDocument,
  type ExplainChangeQuery,
} from './change-drawer.gen.ts'
import styles from './change-drawer.module.css'
import { changeFileName, changeTable } from './change-file.ts'
import { ChangeMembers } from './change-members.tsx'
import { changeText, fromToText, levelText, stepsOf } from './change-text.ts'
import { rangeLabel } from './period-label.ts'
import { dashboardAddress } from './publisher-links.ts'

type Change = NonNullable<ExplainChangeQuery['explainChange']>
type Note = NonNullable<ExplainChangeQuery['annotations']>['nodes'][number]

/** A figure whose change is explained, with the filter of its row. */
export interface ExplainedFigure {
  readonly metric: ChangeMetric
  readonly range: DayRange
  readonly compareWith: Comparison
  readonly filter: FilterCondition
  /** The kind of rows that it sums; publishers by default. */
  readonly of?: ChangeSubject
  /** Ids of articles or videos. */
  readonly contentIds?: readonly string[]
  readonly title?: string
  /** The report's whole range when `range` is one row of it. */
  readonly within?: DayRange
  /** For example パブリッシャー「あおい新聞社」; undefined: the whole report. */
  readonly name?: string | undefined
}

interface ChangeDrawerProps {
  figure: ExplainedFigure
  onClose: () => void
}

/**
 * Explains why a figure differs from its compared figure: a sentence, then parts that sum to the difference. Clicking the
 * change of a part explains that part.
 */
export function ChangeDrawer({ figure, onClose }: ChangeDrawerProps) {
  const [path, setPath] = useState([figure])
  const body = useRef<HTMLDivElement>(null)
  const shown = path.at(-1)!
  // The button that had the focus is gone with the previous explanation, so the focus moves to the new one.
  useFocusOnChange(body, path.length)
  return (
    <ShownChange
      key={path.length}
      figure={shown}
      body={body}
      onExplain={part => setPath([...path, part])}
      onBack={path.length > 1 ? () => setPath(path.slice(0, -1)) : undefined}
      onClose={onClose}
    />
  )
}

function useFocusOnChange(place: RefObject<HTMLElement | null>, step: number) {
  const first = useRef(step)
  useEffect(() => {
    if (first.current !== step) place.current?.focus()
    first.current = step
  }, [place, step])
}

interface ShownChangeProps extends ChangeDrawerProps {
  body: RefObject<HTMLDivElement | null>
  onExplain: (part: ExplainedFigure) => void
  onBack: (() => void) | undefined
}

function ShownChange({ figure, body, onExplain, onBack, onClose }: ShownChangeProps) {
  const viewer = useViewer()
  const { range, compareWith } = figure
  const { feedIds, ...filter } = filterArguments(figure.filter)
  const before = comparedRange(compareWith, figure.within ?? range, range)
  const ofNotes = {
    ...(filter.publisherIds ? { publisherIds: filter.publisherIds } : {}),
    ...(filter.mediumIds ? { mediumIds: filter.mediumIds } : {}),
  }
  const { data, loading, error, refetch } = useQuery(ExplainChangeDocument, {
    variables: {
      param: {
        ...{ metric: figure.metric, ...range, compareWith, ...filter },
        ...(feedIds ? { feedIds } : {}),
        ...(figure.of ? { of: figure.of } : {}),
        ...(figure.contentIds ? { contentIds: figure.contentIds } : {}),
        ...(figure.title ? { title: figure.title } : {}),
        ...(figure.within ? { within: figure.within } : {}),
      },
      notes: { ...range, ...ofNotes },
      earlierNotes: { ...(before ?? range), ...ofNotes },
      withTerms: viewer.can('read:show', 'insight:payment_rate.'),
      withNotes: viewer.can('read:list', 'insight:annotation.'),
    },
  })
  const change = data?.explainChange
  return (
    <Dialog title="増減の理由" size="drawer" onClose={onClose} actions={change && <CsvButton change={change} />}>
      <div className={styles.drawer} ref={body} tabIndex={-1} aria-busy={loading}>
        {onBack && (
          <button type="button" className={styles.back} onClick={onBack}>
            <IconArrowLeft size={16} aria-hidden />
            前の理由に戻る
          </button>
        )}
        {change ? (
          <Explained {...{ change, figure, onExplain, onClose }} notes={notesOf(data)} />
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
  figure: ExplainedFigure
  notes: readonly Note[]
  onExplain: (part: ExplainedFigure) => void
  onClose: () => void
}

function Explained({ change, figure, notes, onExplain, onClose }: ExplainedProps) {
  const rangeOf = (from: string, to: string) => rangeLabel({ from: day(from), to: day(to) })
  const late = lateMediaText(change.lateMedia)
  return (
    <>
      <p className={styles.sentence} role="status">
        {change.sentence}
      </p>
      <dl className={styles.facts}>
        {figure.name && (
          <div>
            <dt>対象</dt>
            <dd>{figure.name}</dd>
          </div>
        )}
        <div>
          <dt>期間</dt>
          <dd>{rangeOf(change.from, change.to)}</dd>
        </div>
        <div>
          <dt>{COMPARISON_LABELS[figure.compareWith]}</dt>
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
          <Factors change={change} than={COMPARISON_LABELS[figure.compareWith]} />
        </section>
      )}
      {change.dimensions.length > 0 && <Breakdown {...{ change, figure, onExplain, onClose }} />}
      {change.changedTerms && change.changedTerms.length > 0 && (
        <section>
          <h3>この間の契約の変更</h3>
          <ul className={styles.notes}>
            {change.changedTerms.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && <NoteList notes={notes} />}
    </>
  )
}

const HEADERS: Readonly<Record<ChangeUnit, string>> = {
  ...{ count: '回数', yen: '金額（円）', ratio: '率', yenPerMille: '金額（円）', yenPerClick: '金額（円）' },
  ...{ seconds: '時間', secondsPerWatch: '時間' },
}

/** The steps from the earlier to the current figure: volume, rate and price. */
function Factors({ change, than }: { change: Change; than: string }) {
  const { unit } = change
  let level = stepsOf(unit, change.before)
  const first: WaterfallStep = { name: 'before', label: than, amount: level, level, lines: [] }
  const steps = change.factors.map((factor): WaterfallStep => {
    const amount = stepsOf(unit, factor.difference)
    level += amount
    const label = `${factor.label}（${fromToText(factor.unit, factor.before, factor.now)}）`
    return { name: factor.key, label, amount, level, lines: [] }
  })
  const last: WaterfallStep = { name: 'now', label: 'この期間', amount: level, level, lines: [] }
  return (
    <Waterfall
      caption="要素ごとの増減"
      steps={[first, ...steps, last]}
      header={HEADERS[unit]}
      texts={{ level: value => levelText(unit, value), change: value => changeText(unit, value) }}
    />
  )
}

function Breakdown({ change, figure, onExplain, onClose }: Omit<ExplainedProps, 'notes'>) {
  const [chosen, setChosen] = useState<ChangeDimension | undefined>(change.cause ?? undefined)
  const shown = change.dimensions.find(({ dimension }) => dimension === chosen) ?? change.dimensions[0]!
  const onExplainPart = (part: ChangePartFieldsFragment) => {
    const explained = figureOfPart(part, shown, figure)
    return explained && (() => onExplain(explained))
  }
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
        addressOf={part => addressOfPart(part, shown.dimension, { change, figure })}
        onExplain={onExplainPart}
        onFollow={onClose}
      />
    </section>
  )
}

/** The address of the member's report with the same days; undefined when there is none. */
function addressOfPart(
  { memberId, publisherId }: ChangePartFieldsFragment,
  dimension: ChangeDimension,
  { change, figure }: Pick<ExplainedProps, 'change' | 'figure'>,
): string | undefined {
  if (memberId === null) return undefined
  const period = { compareWith: figure.compareWith, from: day(change.from), to: day(change.to) }
  const kept = { ...entitiesOf(figure.filter), ...period }
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

/** The part as a figure that can be explained; undefined for the rest of a dimension and for parts that no filter selects. */
function figureOfPart(
  { label, memberId, publisherId, kind }: ChangePartFieldsFragment,
  { dimension, label: noun }: Pick<Change['dimensions'][number], 'dimension' | 'label'>,
  figure: ExplainedFigure,
): ExplainedFigure | undefined {
  // New and gone members exist on one side only, so there is nothing to compare.
  if (memberId === null || kind !== 'changed') return undefined
  const named = { ...figure, name: `${noun}「${label}」` }
  const narrowed = (filter: FilterCondition) => ({ ...named, filter: { ...figure.filter, ...filter } })
  switch (dimension) {
    case 'article':
    case 'video': {
      const metric = CONTENT_METRICS[dimension][figure.metric] ?? figure.metric
      const publisher = publisherId === null ? {} : { publisherId: [publisherId] }
      return { ...narrowed(publisher), metric, of: dimension, contentIds: [memberId] }
    }
    case 'section':
      return memberId === '0' ? undefined : narrowed({ sectionId: [memberId] })
    case 'publisher':
      return narrowed({ publisherId: [memberId] })
    case 'medium':
      return narrowed({ mediumId: [memberId] })
    case 'day': {
      const range = { from: day(memberId), to: day(memberId) }
      return { ...figure, range, within: figure.within ?? figure.range }
    }
    default:
      return undefined
  }
}

/** The metric of an article or video that corresponds to a publisher's metric over all kinds of content. */
const CONTENT_METRICS: Readonly<Record<'article' | 'video', { readonly [Metric in ChangeMetric]?: ChangeMetric }>> = {
  article: { impressions: 'articleImpressions', clicks: 'articleClicks', watchCount: 'articleWatchCount' },
  video: { impressions: 'videoImpressions', clicks: 'videoClicks', watchCount: 'videoWatchCount' },
}

/** The annotations of both ranges, without duplicates. */
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
            <b>{rangeLabel({ from: day(startsOn), to: day(endsOn) })}</b>
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
