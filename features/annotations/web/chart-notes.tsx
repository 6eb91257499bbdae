import { useQuery } from '@apollo/client/react'
import { day } from '@pc/domain/month/day.ts'
import { dayText, monthDayText } from '@pc/domain/month/day-text.ja.ts'
import type { NotedSeriesProps } from '@pc/ui/chart/report-slots.tsx'
import { TimeSeries } from '@pc/ui/chart/time-series.tsx'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import { IconNote, IconPencil, IconTrash } from '@tabler/icons-react'
import { Suspense, useMemo, useState } from 'react'
import {
  AnnotationsDocument,
  DeleteAnnotationDocument,
  type NoteFragment,
  RestoreAnnotationDocument,
} from './annotations.gen.ts'
import styles from './chart-notes.module.css'
import type { NoteDraft } from './note-dialog.tsx'
import { noteMarks } from './note-marks.ts'

/** Loaded when the user writes a note. */
const NoteDialog = lazy(() => import('./note-dialog.tsx').then(module => ({ default: module.NoteDialog })))

const NONE: readonly NoteFragment[] = []
/** Notes listed below a chart before the reader opens the rest. */
const SHOWN_AT_FIRST = 3

/** A chart over time with its notes, and the list of notes below it. */
export function ChartNotes(props: NotedSeriesProps) {
  const { title, points, series, height, range, publisherIds, mediumIds } = props
  const viewer = useViewer()
  const param = {
    ...range,
    ...(publisherIds.length > 0 ? { publisherIds: [...publisherIds] } : {}),
    ...(mediumIds.length > 0 ? { mediumIds: [...mediumIds] } : {}),
  }
  const mayRead = viewer.can('read:list', 'insight:annotation.')
  const result = useQuery(AnnotationsDocument, { variables: { param }, skip: !mayRead })
  const notes = (result.data ?? result.previousData)?.annotations.nodes ?? NONE
  const [edited, setEdited] = useState<NoteDraft>()
  const [isWhole, setWhole] = useState(false)
  const marks = useMemo(() => noteMarks(notes, points), [notes, points])
  const mayWrite = viewer.can('write:update', 'insight:annotation.') && !viewer.impersonation
  const begin = (startsOn: string) =>
    setEdited({ startsOn, endsOn: startsOn, text: '', visibility: 'own', publisher: undefined, mediumIds })
  return (
    <>
      <TimeSeries
        title={title}
        points={points}
        series={series}
        marks={marks}
        {...(height === undefined ? {} : { height })}
        {...(mayWrite ? { onChoose: (index: number) => begin(dayOfPoint(points[index]?.key, range)) } : {})}
      />
      <NoteList
        title={title}
        notes={notes}
        hasFailed={result.error !== undefined && !result.loading}
        onRetry={() => void result.refetch()}
        onAdd={mayWrite ? () => begin(range.to) : undefined}
        onEdit={note => setEdited(draftOf(note))}
        onChanged={() => void result.refetch()}
        isWhole={isWhole}
        onWhole={() => setWhole(true)}
      />
      {edited && (
        <Suspense fallback={null}>
          <NoteDialog
            draft={edited}
            viewer={viewer}
            onClose={() => setEdited(undefined)}
            onSaved={() => {
              // Opens the whole list, so that a note beyond the first three is visible after saving.
              setWhole(true)
              void result.refetch()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The day of a point. A week or month may begin before the range, which then limits it. */
function dayOfPoint(key: string | undefined, range: NotedSeriesProps['range']): string {
  return key === undefined || key < range.from ? range.from : key
}

function draftOf(note: NoteFragment): NoteDraft {
  const { id, revision, startsOn, endsOn, text, visibility, mediumIds } = note
  const publisher =
    note.publisherId === null ? undefined : { id: note.publisherId, name: note.publisherName ?? '（名称なし）' }
  return { id, revision, startsOn, endsOn, text, visibility, publisher, mediumIds }
}

interface ListProps {
  title: string
  notes: readonly NoteFragment[]
  hasFailed: boolean
  onRetry: () => void
  /** Undefined: the reader may not write notes. */
  onAdd: (() => void) | undefined
  onEdit: (note: NoteFragment) => void
  onChanged: () => void
  isWhole: boolean
  onWhole: () => void
}

function NoteList(props: ListProps) {
  const { notes, onAdd, title, isWhole } = props
  const shown = isWhole ? notes : notes.slice(0, SHOWN_AT_FIRST)
  return (
    <section className={styles.notes} aria-label={`${title}のメモ`}>
      <div className={styles.bar}>
        <p>
          <IconNote size={16} aria-hidden />
          {props.hasFailed
            ? 'メモを読み込めませんでした'
            : notes.length === 0
              ? 'メモはありません'
              : `メモ ${notes.length}件`}
        </p>
        {props.hasFailed && (
          <Button tone="quiet" onClick={props.onRetry}>
            もう一度読み込む
          </Button>
        )}
        {onAdd && (
          <Button tone="quiet" onClick={onAdd} data-print="never">
            メモを追加
          </Button>
        )}
      </div>
      {shown.length > 0 && (
        <ol className={styles.list}>
          {shown.map((note, at) => (
            <NoteItem key={note.id} note={note} number={at + 1} onEdit={props.onEdit} onChanged={props.onChanged} />
          ))}
        </ol>
      )}
      {notes.length > shown.length && (
        <Button tone="quiet" onClick={props.onWhole}>
          {`残り${notes.length - shown.length}件のメモを表示`}
        </Button>
      )}
    </section>
  )
}

interface ItemProps {
  note: NoteFragment
  number: number
  onEdit: (note: NoteFragment) => void
  onChanged: () => void
}

function NoteItem({ note, number, onEdit, onChanged }: ItemProps) {
  const viewer = useViewer()
  const media = useMedia()
  const remove = useSubmission(DeleteAnnotationDocument)
  const restore = useSubmission(RestoreAnnotationDocument)
  const days = daysText(note.startsOn, note.endsOn)
  const onDelete = async () => {
    await remove({ id: note.id })
    onChanged()
    showToast({
      tone: 'success',
      message: 'メモを削除しました。',
      action: { label: '元に戻す', run: () => void restore({ id: note.id }).then(onChanged, NOTHING) },
    })
  }
  return (
    <li>
      <span className={styles.number} aria-hidden>
        {number}
      </span>
      <div className={styles.text}>
        <p>{note.text}</p>
        <small>
          <span className="num">{days}</span>
          <VisibilityBadge note={note} />
          {note.mediumIds.length > 0 && <span>{`媒体：${note.mediumIds.map(media.nameOf).join('、')}`}</span>}
          <span>{writerText(note)}</span>
        </small>
      </div>
      {note.isMine && !viewer.impersonation && (
        <div className={styles.tools}>
          <button type="button" aria-label={`メモ${number}を編集`} onClick={() => onEdit(note)}>
            <IconPencil size={16} aria-hidden />
          </button>
          <button
            type="button"
            aria-label={`メモ${number}を削除`}
            // The error message is shown already; the note stays.
            onClick={() => void onDelete().catch(NOTHING)}
          >
            <IconTrash size={16} aria-hidden />
          </button>
        </div>
      )}
    </li>
  )
}

const NOTHING = () => {}

function VisibilityBadge({ note }: { note: NoteFragment }) {
  if (note.visibility === 'own') return <Badge tone="mute">自分だけ</Badge>
  if (note.visibility === 'staff') return <Badge tone="warn">運営のみ</Badge>
  return <Badge tone="ok">{`${note.publisherName ?? 'パブリッシャー'}に共有`}</Badge>
}

function writerText(note: NoteFragment): string {
  if (note.isMine) return '自分'
  return note.writerEmail ?? (note.isByStaff ? '運営' : 'パブリッシャーの担当者')
}

/** 2026年11月3日〜5日 */
function daysText(startsOn: string, endsOn: string): string {
  const from = day(startsOn)
  if (startsOn === endsOn) return dayText(from)
  if (startsOn.slice(0, 7) === endsOn.slice(0, 7)) return `${dayText(from)}〜${Number(endsOn.slice(8))}日`
  const to = day(endsOn)
  return `${dayText(from)}〜${startsOn.slice(0, 4) === endsOn.slice(0, 4) ? monthDayText(to) : dayText(to)}`
}
