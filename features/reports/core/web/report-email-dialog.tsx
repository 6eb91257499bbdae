import type { EntityCondition } from '@pc/domain/condition/entity-filter.ts'
import { entityArgumentsOf, entityCondition, entityConditionOf } from '@pc/domain/condition/filter-conversions.ts'
import { COMPARISON_LABELS, COMPARISONS, type Comparison } from '@pc/domain/report/comparison.ts'
import {
  EMAIL_CADENCE_LABELS,
  EMAIL_CADENCES,
  EMAIL_MONTH_DAY_LABELS,
  EMAIL_MONTH_DAYS,
  EMAIL_RANKING_LABELS,
  EMAIL_RANKINGS,
  type EmailCadence,
  type EmailMonthDay,
  type EmailRanking,
  MAX_WAIT_HOURS,
  REPORT_EMAIL_BOUNDS,
} from '@pc/domain/report/report-email.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { PlainPair, PlainSelect, PlainStack, PlainText } from '@pc/ui/form/plain-field.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { useState } from 'react'
import { REPORT_EMAILS_PATH } from '../../links.ts'
import { SaveReportMailDocument, type WholeReportMailFragment } from './report-email.gen.ts'
import { filterText } from './report-email-words.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}:00` }))

/** Edits the schedule and content of a report email. It is sent only to the person's own address. */
export function ReportEmailDialog(props: {
  viewer: Viewer
  /** Undefined: creates a new one. */
  mail?: WholeReportMailFragment | undefined
  /** The filter of the report on which a new email is created; an existing one keeps its own. */
  filter?: EntityCondition
  onClose: () => void
  onSaved?: () => void
}) {
  const { mail, viewer, onClose } = props
  const filter = mail ? entityConditionOf(mail) : (props.filter ?? entityCondition.defaults)
  const [name, setName] = useState(mail?.name ?? '成果のレポート')
  const [cadence, setCadence] = useState<EmailCadence>(mail?.cadence ?? 'daily')
  const [monthDay, setMonthDay] = useState<EmailMonthDay>(mail?.monthDay ?? 'first')
  const [hour, setHour] = useState(String(mail?.hour ?? 9))
  const [compareWith, setCompareWith] = useState<Comparison>(mail?.compareWith ?? 'same_weekdays')
  const [ranking, setRanking] = useState<EmailRanking>(mail?.ranking ?? 'articles')
  const [problem, setProblem] = useState<{ readonly name: string }>()
  const [isSending, setSending] = useState(false)
  const send = useSubmission(SaveReportMailDocument)
  const rankings = EMAIL_RANKINGS.filter(
    one => one !== 'publishers' || viewer.can('read:list', 'insight:publisher_rank.'),
  )
  const save = async () => {
    if (name.trim() === '') return setProblem({ name: 'メールの名前を入力してください。' })
    setSending(true)
    try {
      const known = mail ? { id: mail.id, expectedRevision: mail.revision } : {}
      const schedule = { cadence, monthDay, hour: Number(hour) }
      const input = { ...known, ...schedule, ...entityArgumentsOf(filter), name: name.trim(), compareWith, ranking }
      const { saveReportMail } = await send({ input })
      const list = { label: '一覧を開く', run: () => location.assign(addressOf(REPORT_EMAILS_PATH)) }
      const message = `レポートメール「${saveReportMail.name}」を保存しました`
      showToast({ tone: 'success', message, ...(props.filter ? { action: list } : {}) })
      onClose()
      props.onSaved?.()
    } catch (error) {
      setProblem({ name: refusalsOf(error)[0]?.message ?? '保存できませんでした。もう一度お試しください。' })
      setSending(false)
    }
  }
  return (
    <Dialog
      title={mail ? 'レポートメールの変更' : 'レポートをメールで受け取る'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button tone="primary" disabled={isSending} onClick={() => void save()}>
            {mail ? '変更を保存する' : 'メールを登録する'}
          </Button>
        </>
      }
    >
      <PlainStack problems={problem}>
        <p style={{ margin: 0 }}>
          {`主な数値と比較を ${viewer.email} に送ります。数値は、送る時点であなたが見られる範囲のものです。`}
        </p>
        <PlainText
          label="メールの名前"
          value={name}
          onChange={setName}
          maxLength={REPORT_EMAIL_BOUNDS.nameLength}
          problem={problem?.name}
          isFirst
        />
        <PlainSelect
          label="送る間隔"
          options={EMAIL_CADENCES.map(value => ({ value, label: EMAIL_CADENCE_LABELS[value] }))}
          value={cadence}
          onChange={setCadence}
        />
        <PlainPair>
          <PlainSelect label="時刻（日本時間）" options={HOURS} value={hour} onChange={setHour} />
          {cadence === 'monthly' && (
            <PlainSelect
              label="送る日"
              options={EMAIL_MONTH_DAYS.map(value => ({ value, label: EMAIL_MONTH_DAY_LABELS[value] }))}
              value={monthDay}
              onChange={setMonthDay}
            />
          )}
        </PlainPair>
        <PlainPair>
          <PlainSelect
            label="比較"
            options={COMPARISONS.map(value => ({ value, label: COMPARISON_LABELS[value] }))}
            value={compareWith}
            onChange={setCompareWith}
          />
          <PlainSelect
            label="順位"
            options={rankings.map(value => ({ value, label: EMAIL_RANKING_LABELS[value] }))}
            value={ranking}
            onChange={setRanking}
          />
        </PlainPair>
        <p style={{ margin: 0, color: 'var(--fg2)' }}>
          {`対象：${filterText(filter)}。`}
          {props.filter
            ? 'いま画面で絞り込んでいる内容です。'
            : `対象を${mail ? '変える' : '絞り込む'}ときは、レポートの画面で絞り込んでから、「…」の「メールで受け取る」で登録してください。`}
          {`期間の最後の日がまだ集計されていないときは、${MAX_WAIT_HOURS}時間まで待ってから送ります。`}
        </p>
      </PlainStack>
    </Dialog>
  )
}
