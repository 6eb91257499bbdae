import { entityConditionOf } from '@pc/domain/condition/filter-conversions.ts'
import { COMPARISON_LABELS } from '@pc/domain/report/comparison.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { ListScreen } from '@pc/ui/list/list-screen.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { IconMail, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ReportEmailDialog } from '../../core/web/report-email-dialog.tsx'
import { filterText, lastText, scheduleText } from '../../core/web/report-email-words.ts'
import type { ReportEmailCondition } from '../../report-email-condition.ts'
import {
  DeleteReportMailDocument,
  PauseReportMailDocument,
  type ReportMailsQuery,
  RestoreReportMailDocument,
  SendReportMailTestDocument,
} from './report-emails.gen.ts'
import styles from './report-emails.module.css'

type Props = ScreenProps<ReportEmailCondition, ReportMailsQuery>
type Mail = ReportMailsQuery['reportMails'][number]

/** The person's own scheduled report emails. */
export function ReportEmailsView(props: Props) {
  const { data, condition, setCondition, viewer, retry } = props
  const mails = data?.reportMails ?? []
  const [edited, setEdited] = useState<Mail | 'new'>()
  const changes = useChanges(retry)
  // An impersonating person sees the emails but cannot change them.
  const mayWrite = !viewer.impersonation
  const named = mayWrite ? mails.find(mail => mail.id === condition.mail) : undefined
  return (
    <>
      <ListScreen
        title="レポートメール"
        noun="レポートメール"
        columns={columns(mayWrite ? { changes, edit: setEdited } : undefined)}
        rows={mails}
        rowKey={mail => mail.id}
        total={mails.length}
        page={1}
        pageSize={100}
        onPage={() => {}}
        isLoading={props.isLoading}
        error={data ? undefined : props.error}
        retry={retry}
        isFiltered={false}
        onClearFilters={() => {}}
        nothing={{
          title: 'レポートメールはまだありません',
          hint: '「メールを登録」を押すか、レポートの「…」から「メールで受け取る」を選んでください。',
        }}
        filters={
          <p className={styles.lead}>
            主な数値を決まった時刻に自分のメールアドレスへ送ります。数値は、送る時点で見られる範囲のものです。
          </p>
        }
        actions={
          mayWrite && (
            <Button tone="primary" icon={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
              メールを登録
            </Button>
          )
        }
      />
      {edited && (
        <ReportEmailDialog
          viewer={viewer}
          mail={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={retry}
        />
      )}
      {named && !edited && (
        <StopDialog
          mail={named}
          onClose={() => setCondition({ mail: undefined })}
          onStop={() => {
            setCondition({ mail: undefined })
            void changes.pause(named, true)
          }}
          onEdit={() => {
            setCondition({ mail: undefined })
            setEdited(named)
          }}
        />
      )}
    </>
  )
}

/** The target of the link in an email: stops it with one click. */
function StopDialog(props: { mail: Mail; onClose: () => void; onStop: () => void; onEdit: () => void }) {
  const { mail } = props
  return (
    <Dialog
      title={`レポートメール「${mail.name}」`}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onEdit}>内容を変更する</Button>
          {!mail.isPaused && (
            <Button tone="primary" onClick={props.onStop}>
              このメールを止める
            </Button>
          )}
        </>
      }
    >
      <p style={{ margin: 0 }}>
        {mail.isPaused
          ? 'このメールは止まっています。一覧の「再開」で、また送れるようになります。'
          : `${scheduleText(mail)}に送っています。止めたあとも、一覧からいつでも再開できます。`}
      </p>
    </Dialog>
  )
}

type Changes = ReturnType<typeof useChanges>

function useChanges(retry: () => void) {
  const pause = useSubmission(PauseReportMailDocument)
  const remove = useSubmission(DeleteReportMailDocument)
  const restore = useSubmission(RestoreReportMailDocument)
  const test = useSubmission(SendReportMailTestDocument)
  const done = async (change: () => Promise<unknown>, message: string, undo?: () => Promise<void>) => {
    try {
      await change()
      showToast({
        ...{ tone: 'success', message },
        ...(undo ? { action: { label: '元に戻す', run: () => void undo() } } : {}),
      })
      retry()
    } catch (error) {
      const message = refusalsOf(error)[0]?.message ?? '変更できませんでした。もう一度お試しください。'
      showToast({ tone: 'error', message })
    }
  }
  return {
    pause: ({ id, name }: Mail, isPaused: boolean) =>
      done(() => pause({ id, isPaused }), `「${name}」を${isPaused ? '止めました' : '再開しました'}`),
    async remove({ id, name }: Mail) {
      const question = {
        title: `レポートメール「${name}」を削除しますか？`,
        body: '次の回から送られなくなります。',
        action: 'メールを削除する',
        tone: 'danger',
      } as const
      if (!(await confirm(question))) return
      await done(
        () => remove({ id }),
        `「${name}」を削除しました`,
        () => done(() => restore({ id }), `「${name}」を元に戻しました`),
      )
    },
    test: ({ id }: Mail) => done(() => test({ id }), 'テストのメールを送りました。届くまで数分かかることがあります'),
  }
}

/** @param may actions on an email; undefined: read only */
function columns(may: { changes: Changes; edit: (mail: Mail) => void } | undefined): readonly Column<Mail>[] {
  const shown: readonly Column<Mail>[] = [
    {
      id: 'name',
      header: '名前',
      isHeading: true,
      cell: mail =>
        may ? (
          <button type="button" className={styles.name} onClick={() => may.edit(mail)}>
            {mail.name}
          </button>
        ) : (
          mail.name
        ),
    },
    { id: 'schedule', header: '送信', cell: mail => scheduleText(mail) },
    { id: 'filter', header: '対象', cell: mail => filterText(entityConditionOf(mail)) },
    { id: 'compare', header: '比較', cell: mail => COMPARISON_LABELS[mail.compareWith] },
    {
      id: 'state',
      header: '状態',
      cell: mail => (mail.isPaused ? <Badge tone="mute">停止中</Badge> : <Badge tone="ok">送信する</Badge>),
    },
    {
      id: 'last',
      header: '前回',
      cell: mail => {
        const { label, tone, note } = lastText(mail)
        return (
          <span className={styles.last}>
            <Badge tone={tone}>{label}</Badge>
            {note}
          </span>
        )
      },
    },
  ]
  return may ? [...shown, actionsColumn(may.changes)] : shown
}

function actionsColumn(changes: Changes): Column<Mail> {
  return {
    id: 'actions',
    header: '操作',
    cell: mail => (
      <span className={styles.actions} data-wide>
        <Button aria-label={`「${mail.name}」をテスト送信`} onClick={() => void changes.test(mail)}>
          <IconMail size={16} aria-hidden />
          テスト送信
        </Button>
        <Button
          aria-label={`「${mail.name}」を${mail.isPaused ? '再開' : '停止'}`}
          onClick={() => void changes.pause(mail, !mail.isPaused)}
        >
          {mail.isPaused ? '再開' : '停止'}
        </Button>
        <Button aria-label={`「${mail.name}」を削除`} onClick={() => void changes.remove(mail)}>
          削除
        </Button>
      </span>
    ),
  }
}
