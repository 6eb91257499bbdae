import { API_KEY_BOUNDS, API_KEY_PREFIX, API_KEY_SCOPE_LABELS } from '@pc/domain/api-key/api-key.ts'
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
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { API_KEY_PAGE_SIZE, type ApiKeyCondition } from '../api-key-condition.ts'
import { CreateApiKeyDialog, CreatedApiKeyDialog, type CreatedKey } from './api-key-dialogs.tsx'
import { STATE_WORDS } from './api-key-words.ts'
import { type ApiKeysQuery, RevokeApiKeyDocument, type WholeApiKeyFragment } from './api-keys.gen.ts'
import styles from './api-keys.module.css'

type Props = ScreenProps<ApiKeyCondition, ApiKeysQuery>

/** API keys, with which an organisation's own programs read its data; for staff, those of every organisation. */
export function ApiKeysView({ condition, setCondition, data, isLoading, error, retry, viewer }: Props) {
  // An impersonation is read-only: the keys are visible, but nothing can be changed.
  const mayCreate = viewer.can('write:create', 'insight:api_key.')
  const mayRevoke = viewer.can('write:delete', 'insight:api_key.')
  const seesOrganizations = viewer.can('read:list', 'iam:org.')
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  const revoke = useRevoking(retry)
  return (
    <>
      <ListScreen
        title="APIキー"
        noun="APIキー"
        columns={columns(seesOrganizations, mayRevoke ? revoke : undefined)}
        rows={data?.apiKeys.nodes ?? []}
        rowKey={row => row.id}
        total={data?.apiKeys.total ?? 0}
        page={condition.page}
        pageSize={API_KEY_PAGE_SIZE}
        onPage={page => setCondition({ page })}
        isLoading={isLoading}
        error={data ? undefined : error}
        retry={retry}
        isFiltered={false}
        onClearFilters={() => {}}
        nothing={{
          title: 'APIキーはまだありません',
          hint: mayCreate ? '「APIキーを作成」から、お使いのシステムのキーを作成してください。' : '',
        }}
        filters={
          <PlainNote>
            お使いのシステムから、自社のレポートとお支払いを読み取るためのキーです（変更はできません）。同時に
            {API_KEY_BOUNDS.keysOfOne}
            件まで使えます。使い方は、マニュアルの「APIキー」をご覧ください。
          </PlainNote>
        }
        actions={
          mayCreate && (
            <Button tone="primary" icon={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              APIキーを作成
            </Button>
          )
        }
      />
      {isCreating && (
        <CreateApiKeyDialog
          onClose={() => setCreating(false)}
          onCreated={made => {
            setCreating(false)
            setCreated(made)
            retry()
          }}
        />
      )}
      {created && <CreatedApiKeyDialog created={created} onClose={() => setCreated(undefined)} />}
    </>
  )
}

type Revoke = (key: WholeApiKeyFragment) => Promise<void>

function useRevoking(retry: () => void): Revoke {
  const send = useSubmission(RevokeApiKeyDocument)
  return async ({ id, name, secretEnd }) => {
    const question = {
      title: `APIキー「${name}」を失効させますか？`,
      // Several keys may share a name, for example when the first one was lost and made again, so the end of the key
      // identifies it.
      body: `キー ${API_KEY_PREFIX}…${secretEnd} を使うシステムは、すぐにデータを読み取れなくなります。元に戻すことはできません。`,
      action: 'APIキーを失効させる',
      tone: 'danger',
    } as const
    if (!(await confirm(question))) return
    try {
      await send({ id })
      showToast({ tone: 'success', message: 'APIキーを失効させました。' })
      retry()
    } catch (error) {
      const message = refusalsOf(error)[0]?.message ?? '失効できませんでした。もう一度お試しください。'
      showToast({ tone: 'error', message })
    }
  }
}

/** @param revoke undefined: read-only */
function columns(seesOrganizations: boolean, revoke: Revoke | undefined): readonly Column<WholeApiKeyFragment>[] {
  return [
    {
      id: 'name',
      header: '名前',
      isHeading: true,
      cell: row => (
        <span className={styles.name}>
          {row.name}
          <code className={styles.note}>
            {API_KEY_PREFIX}…{row.secretEnd}
          </code>
        </span>
      ),
    },
    ...(seesOrganizations
      ? [{ id: 'organization', header: '組織', cell: (row: WholeApiKeyFragment) => row.organizationName }]
      : []),
    {
      id: 'scopes',
      header: '読み取れるデータ',
      cell: row => row.scopes.map(scope => API_KEY_SCOPE_LABELS[scope]).join('、'),
    },
    {
      id: 'state',
      header: '状態',
      cell: row => {
        const { label, tone, hint } = STATE_WORDS[row.state]
        return (
          <Badge tone={tone} {...(hint ? { title: hint } : {})}>
            {label}
          </Badge>
        )
      },
    },
    { id: 'addresses', header: '許可するIPアドレス', cell: row => <Addresses ranges={row.allowedAddresses} /> },
    { id: 'expiresAt', header: '期限', cell: row => formatInstant(row.expiresAt) },
    { id: 'lastUsed', header: '最終利用', cell: row => <LastUse apiKey={row} /> },
    { id: 'createdBy', header: '作成した人', cell: row => row.createdByEmail ?? NO_VALUE },
    ...(revoke
      ? [
          {
            id: 'actions',
            header: '操作',
            cell: (row: WholeApiKeyFragment) =>
              row.state !== 'revoked' &&
              row.state !== 'ended' && (
                <Button aria-label={`${row.name}を失効`} onClick={() => void revoke(row)}>
                  失効
                </Button>
              ),
          },
        ]
      : []),
  ]
}

function Addresses({ ranges }: { ranges: readonly string[] }) {
  const [first, second, ...more] = ranges
  if (first === undefined) return <>制限なし</>
  return (
    <span className={styles.used} title={ranges.join('\n')}>
      <span>{first}</span>
      {second !== undefined && <span>{second}</span>}
      {more.length > 0 && <span className={styles.note}>ほか{more.length}件</span>}
    </span>
  )
}

function LastUse({ apiKey }: { apiKey: WholeApiKeyFragment }) {
  const { lastUsedAt, lastUsedFrom, requestCount, refusedAt, refusedFrom } = apiKey
  return (
    <span className={styles.used}>
      {lastUsedAt === null ? 'まだ使われていません' : formatInstant(lastUsedAt)}
      {lastUsedAt !== null && (
        <span className={styles.note}>
          {lastUsedFrom}・通算{formatInteger(requestCount)}回
        </span>
      )}
      {refusedAt !== null && (
        <span className={styles.refused}>
          許可していない {refusedFrom} からの利用を拒否（{formatInstant(refusedAt)}）
        </span>
      )}
    </span>
  )
}
