import { Button, ButtonLink } from '@pc/ui/button.tsx'
import { Card } from '@pc/ui/card.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInstant } from '@pc/ui/instant-text.ts'
import { Filters, Pager, ScreenTop, SearchFilter } from '@pc/ui/list-top.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { showToast } from '@pc/ui/toasts.tsx'
import { IconUserPlus } from '@tabler/icons-react'
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
  const users = data?.users
  return (
    <>
      <ScreenTop title="招待" note="まだ受け入れられていない招待です">
        {viewer.can('write:create', 'iam:user.') && (
          <ButtonLink tone="primary" href={addressOf(USER_INVITE_PATH)} icon={<IconUserPlus size={16} aria-hidden />}>
            ユーザーを招待
          </ButtonLink>
        )}
      </ScreenTop>
      <Filters>
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
      </Filters>
      <Card title="招待の一覧" flush>
        <DataTable
          caption="招待の一覧"
          columns={columnsFor(viewer.can('write:update', 'iam:user.'), props.retry)}
          rows={users?.nodes ?? []}
          rowKey={user => user.uid}
          isLoading={props.isLoading}
          {...(props.error ? { failure: { retry: props.retry } } : {})}
          empty={{
            title: condition.state === 'open' ? '有効な招待はありません' : '期限の切れた招待はありません',
            hint: '招待が受け入れられると、この一覧からなくなります。',
          }}
        />
        {users && (
          <Pager
            page={condition.page}
            size={USER_PAGE_SIZE}
            total={users.total}
            onPage={page => setCondition({ page })}
          />
        )}
      </Card>
    </>
  )
}

function columnsFor(mayInvite: boolean, onChange: () => void): readonly Column<UserRowFragment>[] {
  return [
    {
      id: 'email',
      header: 'メールアドレス',
      isHeading: true,
      cell: user => <a href={addressOf(userEditPath(user.uid))}>{user.email}</a>,
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
      showToast({ tone: 'success', message: `${user.email}に招待メールを送り直しました` })
      onDone()
    } catch {
      // The error catalogue has said why.
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
