import { ANNOTATION_BOUNDS, type AnnotationVisibility } from '@pc/domain/annotation/annotation.ts'
import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { useMedia, usePublisherSearch } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { MultiSelect } from '@pc/ui/filter/multi-select.tsx'
import { SearchedChoice } from '@pc/ui/filter/searched-choice.tsx'
import { PlainArea, PlainDay, PlainPair, PlainProblem, PlainSelect, PlainStack } from '@pc/ui/form/plain-field.tsx'
import { fieldOfPath, refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import { useState } from 'react'
import { SaveAnnotationDocument } from './annotations.gen.ts'
import styles from './chart-notes.module.css'

export interface NoteDraft {
  readonly id?: string
  readonly revision?: number
  readonly startsOn: string
  readonly endsOn: string
  readonly text: string
  readonly visibility: AnnotationVisibility
  readonly publisher: { readonly id: string; readonly name: string } | undefined
  /** Initially the media of the chart's filter; empty: all. */
  readonly mediumIds: readonly string[]
}

type Problems = Readonly<
  Partial<Record<'text' | 'startsOn' | 'endsOn' | 'visibility' | 'publisherId' | 'mediumIds' | '', string>>
>
const FIELDS = ['text', 'startsOn', 'endsOn', 'visibility', 'publisherId', 'mediumIds']

/** Edits text, days and readers of a new or existing note. */
export function NoteDialog(props: { draft: NoteDraft; viewer: Viewer; onClose: () => void; onSaved: () => void }) {
  const { draft, onClose } = props
  const [values, setValues] = useState(draft)
  const [problems, setProblems] = useState<Problems>({})
  const [isSending, setSending] = useState(false)
  const set = (change: Partial<NoteDraft>) => setValues(now => ({ ...now, ...change }))
  const { close } = useDialogText({
    dialog: `note ${draft.id ?? ''}`,
    values: { text: values.text },
    restore: set,
    onClose,
  })
  const send = useSubmission(SaveAnnotationDocument)
  const save = async () => {
    const wrong = problemsOf(values)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    setSending(true)
    try {
      const { startsOn, endsOn, visibility, id, revision } = values
      const known = id === undefined ? {} : { id, expectedRevision: revision ?? null }
      const publisherId = visibility === 'publisher' ? { publisherId: values.publisher?.id ?? null } : {}
      const mediumIds = [...values.mediumIds]
      await send({
        input: { ...known, startsOn, endsOn, text: values.text.trim(), visibility, mediumIds, ...publisherId },
      })
      showToast({ tone: 'success', message: id === undefined ? 'メモを追加しました' : 'メモを保存しました' })
      onClose()
      props.onSaved()
    } catch (error) {
      const sent = refusalsOf(error)
      setProblems(
        sent.length === 0
          ? { '': '保存できませんでした。もう一度お試しください。' }
          : Object.fromEntries(sent.map(one => [fieldOfPath(one.path, name => FIELDS.includes(name)), one.message])),
      )
      setSending(false)
    }
  }
  return (
    <Dialog
      title={draft.id === undefined ? 'メモを追加' : 'メモを編集'}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" disabled={isSending} onClick={() => void save()}>
            メモを保存する
          </Button>
        </>
      }
    >
      <PlainStack problems={problems}>
        <PlainArea
          label="メモ"
          value={values.text}
          onChange={text => set({ text })}
          maxLength={ANNOTATION_BOUNDS.text}
          problem={problems.text}
          isFirst
        />
        <PlainPair>
          <PlainDay
            label="開始日"
            min={EARLIEST_DAY}
            value={values.startsOn}
            onChange={startsOn => set({ startsOn, ...(values.endsOn < startsOn ? { endsOn: startsOn } : {}) })}
            problem={problems.startsOn}
          />
          <PlainDay
            label="終了日"
            min={values.startsOn}
            value={values.endsOn}
            onChange={endsOn => set({ endsOn })}
            problem={problems.endsOn}
          />
        </PlainPair>
        <Media values={values} set={set} problem={problems.mediumIds} />
        <Readers values={values} set={set} problems={problems} viewer={props.viewer} />
        {problems[''] && <PlainProblem text={problems['']} />}
      </PlainStack>
    </Dialog>
  )
}

/** The media that the note is about; shown only when there are several. */
function Media(props: { values: NoteDraft; set: (change: Partial<NoteDraft>) => void; problem: string | undefined }) {
  const { values, set, problem } = props
  const { options } = useMedia()
  const isShared = values.visibility === 'publisher'
  if (options.length < 2 && values.mediumIds.length === 0) return null
  return (
    <div className={styles.media} data-invalid={problem ? true : undefined}>
      <MultiSelect
        label="媒体"
        options={options}
        value={values.mediumIds}
        onChange={mediumIds => set({ mediumIds })}
        most={ANNOTATION_BOUNDS.media}
      />
      <p>
        {values.mediumIds.length === 0
          ? isShared
            ? 'パブリッシャーの担当者全員が読めます。一部の媒体の数値を書くときは、その媒体を選んでください。'
            : 'どの媒体のグラフにも表示します。'
          : isShared
            ? '選んだ媒体をすべて担当している人だけが読めます。'
            : '選んだ媒体のグラフと、媒体を絞り込まないグラフに表示します。'}
      </p>
      {problem && <PlainProblem text={problem} />}
    </div>
  )
}

function Readers(props: {
  values: NoteDraft
  set: (change: Partial<NoteDraft>) => void
  problems: Problems
  viewer: Viewer
}) {
  const { values, set, problems } = props
  const search = usePublisherSearch()
  const isStaff = isStaffViewer(props.viewer)
  const options: readonly { value: AnnotationVisibility; label: string }[] = [
    { value: 'own', label: '自分だけ' },
    ...(isStaff ? [{ value: 'staff', label: '運営のみ' } as const] : []),
    { value: 'publisher', label: isStaff ? 'パブリッシャーと運営' : 'パブリッシャーの担当者と運営' },
  ]
  return (
    <>
      <PlainSelect
        label="公開範囲"
        options={options}
        value={values.visibility}
        onChange={visibility => set({ visibility })}
        problem={problems.visibility}
      />
      {values.visibility === 'publisher' && (
        <div className={styles.publisher} data-invalid={problems.publisherId ? true : undefined}>
          <SearchedChoice
            label="パブリッシャー"
            chosen={values.publisher}
            noneLabel="選択してください"
            placeholder="パブリッシャー名で検索"
            search={search}
            onChoose={publisher => set({ publisher })}
          />
          {problems.publisherId && <PlainProblem text={problems.publisherId} />}
        </div>
      )}
    </>
  )
}

function problemsOf(values: NoteDraft): Problems {
  return {
    ...(values.text.trim() === '' ? { text: 'メモの内容を入力してください。' } : {}),
    ...(parseDay(values.startsOn) ? {} : { startsOn: '開始日を入力してください。' }),
    ...(parseDay(values.endsOn) && values.startsOn <= values.endsOn
      ? {}
      : { endsOn: '終了日は開始日以降の日にしてください。' }),
    ...(values.visibility === 'publisher' && !values.publisher
      ? { publisherId: '共有するパブリッシャーを選んでください。' }
      : {}),
  }
}
