import { useApolloClient, useQuery } from '@apollo/client/react'
import { useLatest } from '@pc/ui/data/use-latest.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { useEffect, useRef, useState } from 'react'
import { AssigneeChoice } from './assignee-choice.tsx'
import { STATE_TONES, subjectAddress, valueText } from './question-words.ts'
import {
  QuestionDocument,
  ReadQuestionDocument,
  ResolveQuestionDocument,
  type ThreadFragment,
} from './questions.gen.ts'
import styles from './questions.module.css'
import { ReplyForm } from './reply-form.tsx'

interface ThreadDialogProps {
  id: string
  viewer: Viewer
  onClose: () => void
  /** Called when the list behind the dialog may have changed. */
  onChange: () => void
}

/** One thread: its subject with the value then and now, its messages, and the form for the next one. */
export function ThreadDialog(props: ThreadDialogProps) {
  const { id, onClose } = props
  const { data, loading, error, refetch } = useQuery(QuestionDocument, {
    variables: { id },
    fetchPolicy: 'cache-and-network',
  })
  const thread = data?.question
  if (thread) return <Opened {...props} thread={thread} onStale={() => void refetch()} />
  return (
    <Dialog
      title="質問"
      onClose={onClose}
      actions={error && <Button onClick={() => void refetch()}>再読み込み</Button>}
    >
      <p role="status">
        {loading
          ? '読み込み中です。'
          : error
            ? '読み込めませんでした。通信状態を確認して、もう一度お試しください。'
            : 'この質問は見つかりません。一覧から選び直してください。'}
      </p>
    </Dialog>
  )
}

function Opened(props: ThreadDialogProps & { thread: ThreadFragment; onStale: () => void }) {
  const { thread, viewer, onClose, onChange, onStale } = props
  const isStaff = isStaffViewer(viewer)
  const mayWrite = viewer.can('write:update', 'insight:question.')
  const resolve = useSubmission(ResolveQuestionDocument)
  const [text, setText] = useState('')
  useReadMark(thread, viewer, onChange)
  const { close } = useDialogText({
    dialog: 'thread',
    values: { text },
    restore: kept => setText(kept.text),
    onClose,
  })
  const onResolve = async () => {
    try {
      await resolve({ id: thread.id, expectedRevision: thread.revision })
      showToast({ tone: 'success', message: '質問を解決にしました。' })
      onChange()
    } catch (failure) {
      // The error message shows the refusal; there may be a new message.
      if (refusalsOf(failure).length > 0) onStale()
    }
  }
  return (
    <Dialog
      title={thread.subject}
      size="large"
      onClose={close}
      actions={
        mayWrite &&
        thread.state !== 'resolved' &&
        !thread.isObjection && <Button onClick={() => void onResolve()}>解決にする</Button>
      }
    >
      <div className={styles.thread}>
        <Pinned thread={thread} isStaff={isStaff} />
        {isStaff && <AssigneeChoice thread={thread} isReadOnly={!mayWrite} onChange={onChange} />}
        <ol className={styles.messages} aria-label="やり取り">
          {(thread.messages ?? []).map(message => (
            <li
              key={message.id}
              data-side={message.isByStaff ? 'staff' : 'publisher'}
              data-note={message.isInternal || undefined}
            >
              <p className={styles.writer}>
                <b>{message.isMine ? 'あなた' : (message.writerEmail ?? '媒体の担当者')}</b>
                {message.isInternal && <Badge tone="warn">社内メモ</Badge>}
                <time dateTime={message.writtenAt}>{formatInstant(message.writtenAt)}</time>
              </p>
              <p className={styles.text}>{message.text}</p>
            </li>
          ))}
        </ol>
        {mayWrite && <ReplyForm {...{ thread, viewer, isStaff, text }} onType={setText} onSent={onChange} />}
      </div>
    </Dialog>
  )
}

function Pinned({ thread, isStaff }: { thread: ThreadFragment; isStaff: boolean }) {
  const { valueThen, valueNow, unit } = thread
  const hasChanged = valueNow !== null && valueNow.value !== valueThen
  return (
    <div className={styles.subject}>
      <p className={styles.standing}>
        <Badge tone={STATE_TONES[thread.state]}>{thread.stateLabel}</Badge>
        <span>{`${isStaff ? `${thread.organizationName ?? ''} ` : ''}${thread.askerEmail}　${formatInstant(thread.askedAt)}`}</span>
      </p>
      <small>{thread.context}</small>
      <dl className={styles.values}>
        <div>
          <dt>質問時の値</dt>
          <dd className="num">{valueText(valueThen, unit)}</dd>
        </div>
        {thread.kind !== 'statement' && (
          <div data-changed={hasChanged || undefined}>
            <dt>現在の値</dt>
            <dd className="num">
              {valueNow ? valueText(valueNow.value, unit) : '表示できません'}
              {valueNow && <small>{hasChanged ? '質問の後に変わりました' : '変わっていません'}</small>}
            </dd>
          </div>
        )}
      </dl>
      <a href={subjectAddress(thread, isStaff)}>もとの画面を開く</a>
    </div>
  )
}

/** Marks the open thread as read, except during an impersonation. */
function useReadMark(thread: ThreadFragment, viewer: Viewer, onChange: () => void): void {
  const client = useApolloClient()
  const { id, isUnread } = thread
  const messageId = thread.messages?.at(-1)?.id
  const isGuest = viewer.impersonation !== undefined
  // Kept in a ref, so that a new callback does not run the effect again.
  const notify = useLatest(onChange)
  // Marks each message once: the list may report the thread as unread again because of a message that is not shown yet.
  const markedId = useRef<string>(undefined)
  useEffect(() => {
    if (!isUnread || messageId === undefined || isGuest || markedId.current === messageId) return
    markedId.current = messageId
    client
      .mutate({ mutation: ReadQuestionDocument, variables: { id, messageId } })
      .then(notify)
      // It stays unread and is marked when it is opened again.
      .catch(() => {})
  }, [client, id, isUnread, messageId, isGuest, notify])
}
