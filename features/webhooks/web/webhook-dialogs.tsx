import { useQuery } from '@apollo/client/react'
import { WEBHOOK_BOUNDS, type WebhookEventName } from '@pc/domain/webhook/webhook.ts'
import { DEFAULT_WEBHOOK_FORMAT, WEBHOOK_FORMATS } from '@pc/domain/webhook/webhook-format.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { copyWithToast } from '@pc/ui/elements/copy-with-toast.ts'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { PlainChecks, PlainNote, PlainStack, PlainText } from '@pc/ui/form/plain-field.tsx'
import { PlainSecret } from '@pc/ui/form/plain-secret.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { formatInstantWithSeconds } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { WebhookFormatField } from './webhook-format-field.tsx'
import { answerText, DELIVERY_STATES, EVENT_OPTIONS, kindLabel } from './webhook-words.ts'
import {
  RedeliverWebhookDocument,
  SaveWebhookDocument,
  type SaveWebhookMutation,
  WebhookDeliveriesDocument,
  type WholeWebhookFragment,
} from './webhooks.gen.ts'
import styles from './webhooks.module.css'

/** Edits address, events and format of a new or existing webhook. */
export function WebhookDialog(props: {
  webhook: WholeWebhookFragment | undefined
  onClose: () => void
  /** For a new webhook the answer contains its secret. */
  onSaved: (saved: SaveWebhookMutation['saveWebhook']) => void
}) {
  const { webhook, onClose } = props
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [events, setEvents] = useState<readonly WebhookEventName[]>(webhook?.events ?? [])
  const [format, setFormat] = useState(webhook?.format ?? DEFAULT_WEBHOOK_FORMAT)
  const [problems, setProblems] = useState<{ readonly url?: string; readonly events?: string }>({})
  const [isSending, setSending] = useState(false)
  const { close } = useDialogText({
    dialog: `webhook ${webhook?.id ?? ''}`,
    values: { url },
    restore: kept => setUrl(kept.url),
    onClose,
  })
  const send = useSubmission(SaveWebhookDocument)
  const save = async () => {
    if (events.length === 0) return setProblems({ events: '通知するイベントを1つ以上選択してください。' })
    setProblems({})
    setSending(true)
    try {
      const known = webhook ? { id: webhook.id, expectedRevision: webhook.revision } : {}
      const { saveWebhook } = await send({ input: { ...known, url: url.trim(), events: [...events], format } })
      showToast({ tone: 'success', message: webhook ? '送信先を保存しました' : '送信先を登録しました' })
      props.onSaved(saveWebhook)
    } catch (error) {
      setProblems({ url: refusalsOf(error)[0]?.message ?? '保存できませんでした。もう一度お試しください。' })
      setSending(false)
    }
  }
  return (
    <Dialog
      title={webhook ? '送信先の変更' : '送信先の登録'}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" disabled={isSending} onClick={() => void save()}>
            {webhook ? '変更を保存する' : '送信先を登録する'}
          </Button>
        </>
      }
    >
      <PlainStack problems={problems}>
        <PlainText
          label="送信先のURL"
          hint={
            webhook
              ? 'URLの一部は秘密のため「…」で表示しています。変えない場合は、そのままにしてください。'
              : 'インターネットから接続できる https:// のURLです。リダイレクトはたどりません。'
          }
          value={url}
          onChange={setUrl}
          maxLength={WEBHOOK_BOUNDS.urlLength}
          problem={problems.url}
          isFirst
        />
        <WebhookFormatField formats={WEBHOOK_FORMATS} value={format} onChange={setFormat} />
        <PlainChecks
          label="通知するイベント"
          options={EVENT_OPTIONS}
          value={events}
          onChange={setEvents}
          problem={events.length === 0 ? problems.events : undefined}
        />
      </PlainStack>
    </Dialog>
  )
}

/** Shows the secret. It cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title="署名キー"
      onClose={undefined}
      actions={
        <>
          <Button onClick={() => void copyWithToast(secret, '署名キー')}>コピーする</Button>
          <Button tone="primary" onClick={onClose}>
            控えました
          </Button>
        </>
      }
    >
      <PlainStack>
        <PlainNote>
          受信側で署名を確かめるためのキーです。<b>表示されるのは今回だけです。</b>
          安全な場所に保管してください。失くしたときは作り直せます（前のキーは使えなくなります）。
        </PlainNote>
        <PlainSecret text={secret} />
      </PlainStack>
    </Dialog>
  )
}

/** Shown after a repeated submission: the webhook exists, but its secret cannot be shown again. */
export function MissedSecretDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="署名キー"
      onClose={onClose}
      actions={
        <Button tone="primary" onClick={onClose}>
          閉じる
        </Button>
      }
    >
      <PlainNote>
        この操作は、前回の送信ですでに完了しています。署名キーは安全のため一度しか表示されず、もう一度お見せすることはできません。
        控えていないときは、一覧の「キーの作り直し」で新しいキーを作ってください。
      </PlainNote>
    </Dialog>
  )
}

/** The latest deliveries and their outcomes. */
export function DeliveriesDialog(props: { webhook: WholeWebhookFragment; mayWrite: boolean; onClose: () => void }) {
  const { webhook, mayWrite, onClose } = props
  const { data, loading, refetch } = useQuery(WebhookDeliveriesDocument, {
    variables: { webhookId: webhook.id },
    fetchPolicy: 'network-only',
  })
  const send = useSubmission(RedeliverWebhookDocument)
  const again = async (deliveryId: string) => {
    try {
      await send({ deliveryId })
      showToast({ tone: 'success', message: 'もう一度送信しています' })
      await refetch()
    } catch (error) {
      showToast({ tone: 'error', message: refusalsOf(error)[0]?.message ?? '送信できませんでした。' })
    }
  }
  const rows = data?.webhookDeliveries
  return (
    <Dialog
      title="送信の記録"
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => void refetch()}>更新する</Button>
          <Button tone="primary" onClick={onClose}>
            閉じる
          </Button>
        </>
      }
    >
      <PlainNote>{webhook.url}</PlainNote>
      {rows === undefined ? (
        loading ? (
          <Skeleton height={160} />
        ) : (
          <FailedContent onRetry={() => void refetch()} />
        )
      ) : rows.length === 0 ? (
        <PlainNote>まだ送信していません。「テスト送信」で届くことを確かめられます。</PlainNote>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.log}>
            <thead>
              <tr>
                {['イベント', '日時', '結果', '応答', '操作'].map(head => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => {
                const [label, tone] = DELIVERY_STATES[row.state]
                return (
                  <tr key={row.id}>
                    <th scope="row" title={row.key}>
                      {kindLabel(row.kind)}
                    </th>
                    <td>{formatInstantWithSeconds(row.occurredAt)}</td>
                    <td>
                      <Badge tone={tone}>{label}</Badge>
                    </td>
                    <td className={styles.answer}>{answerText(row)}</td>
                    <td>
                      {mayWrite && ['delivered', 'failed', 'dropped'].includes(row.state) && (
                        <Button aria-label={`${kindLabel(row.kind)}を再送`} onClick={() => void again(row.id)}>
                          再送
                        </Button>
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  )
}
