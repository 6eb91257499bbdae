import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { PlainNote } from '@pc/ui/form/plain-field.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { ListScreen } from '@pc/ui/list/list-screen.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant } from '@pc/ui/text/format.ts'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { DeliveriesDialog, MissedSecretDialog, SecretDialog, WebhookDialog } from './webhook-dialogs.tsx'
import { eventLabel, stateOf } from './webhook-words.ts'
import {
  DeleteWebhookDocument,
  PauseWebhookDocument,
  PingWebhookDocument,
  RenewWebhookSecretDocument,
  type SaveWebhookMutation,
  type WebhooksQuery,
} from './webhooks.gen.ts'
import styles from './webhooks.module.css'

type Props = ScreenProps<object, WebhooksQuery>
type Saved = Pick<SaveWebhookMutation['saveWebhook'], 'secret' | 'isRepeated'>
type Row = WebhooksQuery['webhooks'][number]
type Open =
  | { readonly kind: 'edit'; readonly row: Row | undefined }
  | { readonly kind: 'log'; readonly row: Row }
  /** Null: the secret was shown with the first answer to the same submission. */
  | { readonly kind: 'secret'; readonly secret: string | null }

/** Addresses of other systems that receive events. */
export function WebhooksView({ data, isLoading, error, retry, viewer }: Props) {
  // An impersonation is read-only: webhooks and deliveries are visible, but nothing can be changed.
  const mayWrite = viewer.can('write:update', 'insight:webhook.')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const showSecret = ({ secret, isRepeated }: Saved) =>
    secret === null && !isRepeated ? close() : setOpen({ kind: 'secret', secret })
  const changes = useChanges(retry, showSecret)
  const rows = data?.webhooks ?? []
  return (
    <>
      <ListScreen
        title="Webhook"
        noun="送信先"
        columns={columns(mayWrite ? changes : undefined, setOpen)}
        rows={rows}
        rowKey={row => row.id}
        total={rows.length}
        page={1}
        pageSize={100}
        onPage={() => {}}
        isLoading={isLoading}
        error={data ? undefined : error}
        retry={retry}
        isFiltered={false}
        onClearFilters={() => {}}
        nothing={{
          title: '送信先はまだありません',
          hint: '「送信先を登録」から、社内のシステムのURLを登録してください。',
        }}
        filters={
          <PlainNote>
            月次の確定・お支払い・フィードの障害などを、お使いのシステムへ自動で知らせます。署名の確かめ方は、マニュアルの「Webhook」をご覧ください。
          </PlainNote>
        }
        actions={
          mayWrite && (
            <Button
              tone="primary"
              icon={<IconPlus size={16} aria-hidden />}
              onClick={() => setOpen({ kind: 'edit', row: undefined })}
            >
              送信先を登録
            </Button>
          )
        }
      />
      {open?.kind === 'edit' && (
        <WebhookDialog
          webhook={open.row}
          onClose={close}
          onSaved={saved => {
            retry()
            showSecret(saved)
          }}
        />
      )}
      {open?.kind === 'secret' &&
        (open.secret === null ? (
          <MissedSecretDialog onClose={close} />
        ) : (
          <SecretDialog secret={open.secret} onClose={close} />
        ))}
      {open?.kind === 'log' && <DeliveriesDialog webhook={open.row} mayWrite={mayWrite} onClose={close} />}
    </>
  )
}

type Changes = ReturnType<typeof useChanges>

function useChanges(retry: () => void, showSecret: (saved: Saved) => void) {
  const pause = useSubmission(PauseWebhookDocument)
  const remove = useSubmission(DeleteWebhookDocument)
  const ping = useSubmission(PingWebhookDocument)
  const renew = useSubmission(RenewWebhookSecretDocument)
  const done = async (change: () => Promise<unknown>, message: string) => {
    try {
      await change()
      showToast({ tone: 'success', message })
      retry()
    } catch (error) {
      const refused = refusalsOf(error)[0]?.message ?? '変更できませんでした。もう一度お試しください。'
      showToast({ tone: 'error', message: refused })
    }
  }
  return {
    pause: ({ id }: Row, isPaused: boolean) =>
      done(() => pause({ id, isPaused }), isPaused ? '送信を停止しました' : '送信を再開しました'),
    ping: ({ id }: Row) => done(() => ping({ id }), 'テストを送信しました。結果は「記録」で確認できます'),
    async remove({ id, url }: Row) {
      const question = {
        title: '送信先を削除しますか？',
        body: url,
        action: '送信先を削除する',
        tone: 'danger',
      } as const
      if (await confirm(question)) await done(() => remove({ id }), '送信先を削除しました')
    },
    async renew({ id, url }: Row) {
      const question = {
        title: '署名キーを作り直しますか？',
        body: `${url} の前のキーは、すぐに使えなくなります。`,
        action: '署名キーを作り直す',
      }
      if (!(await confirm(question))) return
      await done(async () => {
        const { renewWebhookSecret } = await renew({ id })
        showSecret(renewWebhookSecret)
      }, '署名キーを作り直しました')
    },
  }
}

/** @param changes undefined: read-only */
function columns(changes: Changes | undefined, open: (open: Open) => void): readonly Column<Row>[] {
  return [
    {
      id: 'url',
      header: '送信先',
      isHeading: true,
      cell: row =>
        changes ? (
          <button type="button" className={styles.name} onClick={() => open({ kind: 'edit', row })}>
            {row.url}
          </button>
        ) : (
          row.url
        ),
    },
    { id: 'events', header: 'イベント', cell: row => row.events.map(eventLabel).join('、') },
    {
      id: 'state',
      header: '状態',
      cell: row => {
        const [label, tone] = stateOf(row)
        return (
          <span className={styles.actions}>
            <Badge tone={tone}>{label}</Badge>
            {row.failingSince && `${formatInstant(row.failingSince)}から`}
          </span>
        )
      },
    },
    {
      id: 'actions',
      header: '操作',
      cell: row => (
        <span className={`${styles.actions} ${styles.buttons}`}>
          <Button onClick={() => open({ kind: 'log', row })}>記録</Button>
          {changes && (
            <>
              <Button onClick={() => void changes.ping(row)} disabled={row.isPaused}>
                テスト送信
              </Button>
              <Button onClick={() => void changes.pause(row, !row.isPaused)}>{row.isPaused ? '再開' : '停止'}</Button>
              <Button onClick={() => void changes.renew(row)}>キーの作り直し</Button>
              <Button onClick={() => void changes.remove(row)}>削除</Button>
            </>
          )}
        </span>
      ),
    },
  ]
}
