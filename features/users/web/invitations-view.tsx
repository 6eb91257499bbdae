import { Button } from '@pc/ui/elements/button.tsx'
import { SearchFilter } from '@pc/ui/elements/list-top.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { USER_INVITE_PATH, userEditPath } from '../links.ts'
import { type InvitationCondition, USER_PAGE_SIZE } from '../user-condition.ts'
import { RegenerateInviteLinkDocument } from './user-edit-iam.gen.ts'
import { RoleList } from './user-parts.tsx'
import type { UserRowFragment, UsersQuery } from './users-iam.gen.ts'

type Props = ScreenProps<InvitationCondition, UsersQuery>

const STATES = [
  { value: 'open', label: '有効な招待' },
  { value: 'expired', label: '期限切れ' },
] as const

export function InvitationsView(props: Props) {
  const { condition, setCondition, data, viewer } = props
  return (
    <ListScreen
      title="招待"
      noun={condition.state === 'open' ? '有効な招待' : '期限切れの招待'}
      columns={columnsFor(viewer.can('write:update', 'iam:user.'), props.retry)}
      rows={data?.users.nodes ?? []}
      rowKey={user => user.uid}
      total={data?.users.total ?? 0}
      page={condition.page}
      pageSize={USER_PAGE_SIZE}
      onPage={page => setCondition({ page })}
      isLoading={props.isLoading}
      error={props.error}
      retry={props.retry}
      isFiltered={condition.q !== ''}
      onClearFilters={() => setCondition({ q: '', page: 1 })}
      create={
        viewer.can('write:create', 'iam:user.')
          ? { label: 'ユーザーを招待', address: addressOf(USER_INVITE_PATH) }
          : undefined
      }
      filters={
        <>
          <SegmentedControl
            label="招待の状態"
            options={STATES}
            value={condition.state}
            onChange={state => setCondition({ state, page: 1 })}
          />
          <SearchFilter
            label="メールアドレスで検索"
            placeholder="メールアドレスで検索"
            value={condition.q}
            onSearch={q => setCondition({ q, page: 1 })}
          />
        </>
      }
    />
  )
}

function columnsFor(mayInvite: boolean, onChange: () => void): readonly Column<UserRowFragment>[] {
  return [
    {
      id: 'email',
      header: 'メールアドレス',
      isHeading: true,
      cell: user => <RowLink address={addressOf(userEditPath(user.uid))}>{user.email}</RowLink>,
    },
    { id: 'roles', header: 'ロール', cell: user => <RoleList roles={user.roles} /> },
    { id: 'organization', header: '組織', cell: user => user.organization?.name ?? '—' },
    {
      id: 'invitedAt',
      header: '送信日時',
      cell: user => (user.invitation ? formatInstant(user.invitation.invitedAt) : '—'),
    },
    {
      id: 'expiresAt',
      header: '有効期限',
      cell: user => (user.invitation ? formatInstant(user.invitation.expiresAt) : '—'),
    },
    ...(mayInvite
      ? [{ id: 'resend', header: '操作', cell: (user: UserRowFragment) => <Resend user={user} onDone={onChange} /> }]
      : []),
  ]
}

function Resend({ user, onDone }: { user: UserRowFragment; onDone: () => void }) {
  const regenerate = useSubmission(RegenerateInviteLinkDocument, 'iam')
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await regenerate({ uid: user.uid })
      showToast({ tone: 'success', message: `${user.email}に招待メールを送り直しました。` })
      onDone()
    } catch {
      // The error catalogue has shown the reason.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      disabled={isBusy || !user.enabled}
      title={user.enabled ? undefined : '無効なユーザーです。先に有効にしてください。'}
      aria-label={`${user.email}に招待メールを再送`}
      onClick={() => void run()}
    >
      再送
    </Button>
  )
}
