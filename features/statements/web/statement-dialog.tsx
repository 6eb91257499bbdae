import { useApolloClient, useQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { AnswerDialog, type StatementAnswer } from './answer-dialog.tsx'
import { type Objection, ObjectionDialog } from './objection-dialog.tsx'
import { saveStatement } from './save-statement.ts'
import { StatementLog, StatementPaper } from './statement-paper.tsx'
import { givenDayText, STATE_TONES, type StatementDetail, stateNote } from './statement-words.ts'
import {
  ConfirmStatementDocument,
  ObjectToStatementDocument,
  RecordStatementSendingDocument,
  ResolveStatementDocument,
  ReviseStatementDocument,
  StatementDocument,
  WithdrawStatementObjectionDocument,
} from './statements.gen.ts'
import styles from './statements.module.css'

interface StatementDialogProps {
  id: string
  viewer: Viewer
  today: Day
  onClose: () => void
  /** The list behind may have changed. */
  onChange: () => void
}

/** One statement with its files, its events, and the answers that the viewer may give. */
export function StatementDialog(props: StatementDialogProps) {
  const { id, onClose } = props
  const { data, loading, error, refetch } = useQuery(StatementDocument, {
    variables: { id },
    fetchPolicy: 'network-only',
  })
  const statement = data?.statement
  if (!statement) {
    const text = loading
      ? '読み込み中です。'
      : error
        ? '読み込めませんでした。通信状態を確認して、もう一度お試しください。'
        : 'この支払通知書は見つかりません。一覧から選び直してください。'
    return (
      <Dialog
        title="支払通知書"
        onClose={onClose}
        actions={error && <Button onClick={() => void refetch()}>再読み込み</Button>}
      >
        <p role="status">{text}</p>
      </Dialog>
    )
  }
  const changed = (message: string) => {
    showToast({ tone: 'success', message })
    void refetch()
    props.onChange()
  }
  return <Opened {...props} statement={statement} onDone={changed} onStale={() => void refetch()} />
}

export interface OpenedProps extends Pick<StatementDialogProps, 'viewer' | 'today' | 'onClose'> {
  statement: StatementDetail
  onDone: (message: string) => void
  onStale: () => void
}

function Opened({ statement, viewer, today, onClose, onDone, onStale }: OpenedProps) {
  const client = useApolloClient()
  const [asking, setAsking] = useState<'objection' | 'answer' | 'revision' | 'sending'>()
  const send = useAnswers(statement, onDone)
  const isStaff = isStaffViewer(viewer)
  const mayAnswer = viewer.can('write:update', 'insight:statement.')
  const done = () => setAsking(undefined)
  const onConfirm = async () => {
    if (!(await confirm(confirmQuestion(statement)))) return
    try {
      await send.confirm()
    } catch (error) {
      // The client has shown the refusal as a toast. The document may have been replaced, so it is read again.
      if (refusalsOf(error).length > 0) onStale()
    }
  }
  const onWithdraw = async () => {
    if (!(await confirm(withdrawalQuestion(statement, today)))) return
    try {
      await send.withdraw()
    } catch (error) {
      // Staff may have answered meanwhile, so it is read again.
      if (refusalsOf(error).length > 0) onStale()
    }
  }
  return (
    <>
      <Dialog
        title={`${statement.heading} ${statement.numberText}`}
        size="large"
        onClose={onClose}
        actions={
          <>
            <Files id={statement.id} save={format => saveStatement(client, statement.id, format)} isStaff={isStaff} />
            {isStaff && statement.state !== 'replaced' && viewer.can('write:create', 'insight:statement.') && (
              <Button onClick={() => setAsking('revision')}>改訂版を発行する</Button>
            )}
            {isStaff && mayAnswer && statement.state === 'issued' && statement.isUntold && (
              <Button onClick={() => setAsking('sending')}>送付を記録する</Button>
            )}
            {isStaff && mayAnswer && statement.state === 'objected' && (
              <Button tone="primary" onClick={() => setAsking('answer')}>
                照会に回答する
              </Button>
            )}
            {!isStaff && mayAnswer && statement.state === 'objected' && (
              <Button onClick={() => void onWithdraw()}>照会を取り下げる</Button>
            )}
            {!isStaff && mayAnswer && statement.state === 'issued' && (
              <>
                <Button onClick={() => setAsking('objection')}>照会する</Button>
                <Button tone="primary" onClick={() => void onConfirm()}>
                  内容を確認した
                </Button>
              </>
            )}
          </>
        }
      >
        <p className={styles.standing}>
          <Badge tone={STATE_TONES[statement.state]}>{statement.stateLabel}</Badge>
          <span>{stateNote(statement)}</span>
        </p>
        <StatementPaper statement={statement} />
        <StatementLog events={statement.events ?? []} />
      </Dialog>
      {asking === 'objection' && (
        <ObjectionDialog
          statement={statement}
          onClose={done}
          onSubmit={objection => send.object(objection).then(done)}
        />
      )}
      {asking === 'answer' && (
        <AnswerDialog
          statement={statement}
          today={today}
          onClose={done}
          onSubmit={answer => send.resolve(answer).then(done)}
        />
      )}
      {asking === 'sending' && (
        <ReasonDialog
          title={`支払通知書 ${statement.numberText} の送付を記録します`}
          note="支払先の組織に、通知を受け取るユーザーがいません。郵送などで送付した場合に記録してください。みなし確認の期限は、記録した日から数えます。"
          label="送付の方法と日付"
          action="送付を記録する"
          maxLength={500}
          onClose={done}
          onSubmit={how => send.sent(how).then(done)}
        />
      )}
      {asking === 'revision' && (
        <ReasonDialog
          title={`支払通知書 ${statement.numberText} の改訂版を発行します`}
          note="金額は変わりません。支払元と口座の記載が現在のものになり、支払先にあらためて確認をお願いします。これまでの版は差替済みとして残ります。"
          label="改訂の理由"
          action="改訂版を発行する"
          maxLength={500}
          onClose={done}
          onSubmit={reason => send.revise(reason).then(done)}
        />
      )}
    </>
  )
}

type FileFormat = 'pdf' | 'csv' | 'evidence'

function Files(props: { id: string; save: (format: FileFormat) => Promise<void>; isStaff: boolean }) {
  const [busy, setBusy] = useState<FileFormat>()
  const formats: readonly (readonly [FileFormat, string])[] = [
    ['pdf', 'PDF'],
    ['csv', 'CSV'],
    ...(props.isStaff ? ([['evidence', '証跡（ZIP）']] as const) : []),
  ]
  return (
    <span className={styles.files}>
      {formats.map(([format, label]) => (
        <Button
          key={format}
          aria-disabled={busy !== undefined}
          icon={<IconDownload size={16} aria-hidden />}
          onClick={() => {
            if (busy) return
            setBusy(format)
            void props.save(format).finally(() => setBusy(undefined))
          }}
        >
          {busy === format ? '作成しています…' : label}
        </Button>
      ))}
    </span>
  )
}

function confirmQuestion({ numberText, total, transferAmount, isTransferPlanned, dueOn }: StatementDetail) {
  return {
    title: `支払通知書 ${numberText} の内容を確認しましたか？`,
    body: (
      <>
        <p>
          {`税込金額 ${formatInteger(total)}円、${isTransferPlanned ? 'お振込予定額' : 'お振込金額'} ${formatInteger(transferAmount)}円、支払期日 ${givenDayText(dueOn)}`}
        </p>
        <p>確認した方、日時、接続元が記録されます。確認のあとは照会できません。</p>
      </>
    ),
    action: '内容を確認した',
  }
}

function withdrawalQuestion({ numberText, deemedOn }: StatementDetail, today: Day) {
  const isOver = deemedOn < today
  return {
    title: `支払通知書 ${numberText} への照会を取り下げますか？`,
    body: (
      <p>
        {isOver
          ? `確認待ちに戻ります。確認の期限（${givenDayText(deemedOn)}）を過ぎているため、このあと自動で確認済みになります。`
          : `確認待ちに戻ります。${givenDayText(deemedOn)}までは、あらためて照会できます。`}
      </p>
    ),
    action: '照会を取り下げる',
  }
}

function useAnswers(statement: StatementDetail, onDone: (message: string) => void) {
  const { id, hash, numberText } = statement
  const confirmIt = useSubmission(ConfirmStatementDocument)
  const objectToIt = useSubmission(ObjectToStatementDocument)
  const withdrawIt = useSubmission(WithdrawStatementObjectionDocument)
  const resolveIt = useSubmission(ResolveStatementDocument)
  const reviseIt = useSubmission(ReviseStatementDocument)
  const recordIt = useSubmission(RecordStatementSendingDocument)
  return {
    async confirm() {
      await confirmIt({ id, hash })
      onDone(`支払通知書 ${numberText} を確認済みにしました。`)
    },
    async object({ text, lines }: Objection) {
      await objectToIt({ id, hash, text, lines: [...lines] })
      onDone('照会を送りました。担当者の回答をお待ちください。')
    },
    async withdraw() {
      await withdrawIt({ id })
      onDone('照会を取り下げました。')
    },
    async resolve(answer: StatementAnswer) {
      await resolveIt({ id, ...answer })
      onDone('回答を送りました。')
    },
    async sent(how: string) {
      await recordIt({ id, how })
      onDone('送付を記録しました。')
    },
    async revise(reason: string) {
      await reviseIt({ id, reason })
      onDone('改訂版を発行しました。')
    },
  }
}
