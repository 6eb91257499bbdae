import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { rolesGivenBy } from '@pc/domain/access/role-rank.ts'
import { ButtonLink } from '@pc/ui/button.tsx'
import { Card } from '@pc/ui/card.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { formatInstant } from '@pc/ui/instant-text.ts'
import { Filters, Pager, ScreenTop, SearchFilter, SelectFilter } from '@pc/ui/list-top.tsx'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { isPublisherUser, type Viewer } from '@pc/ui/viewer.tsx'
import { IconUserPlus } from '@tabler/icons-react'
import { USER_INVITE_PATH, userEditPath } from '../links.ts'
import { USER_PAGE_SIZE, type UserCondition } from '../user-condition.ts'
import { OrganizationFilter } from './organization-filter.tsx'
import { RoleList, UserState } from './user-parts.tsx'
import type { UserRowFragment, UsersQuery } from './users-iam.gen.ts'

type Props = ScreenProps<UserCondition, UsersQuery>

const STATES = [
  { value: 'all', label: 'すべて' },
  { value: 'enabled', label: '有効' },
  { value: 'disabled', label: '無効' },
] as const

export function UsersView(props: Props) {
  const { condition, setCondition, data, viewer } = props
  const users = data?.users
  const seesOrganizations = viewer.can('read:list', 'iam:org.')
  return (
    <>
      <ScreenTop title="ユーザー管理" note={seesOrganizations ? undefined : '自社のユーザーを管理します'}>
        {viewer.can('write:create', 'iam:user.') && (
          <ButtonLink tone="primary" href={addressOf(USER_INVITE_PATH)} icon={<IconUserPlus size={16} aria-hidden />}>
            ユーザーを招待
          </ButtonLink>
        )}
      </ScreenTop>
      <Filters>
        <SearchFilter
          label="メールアドレスで検索"
          placeholder="メールアドレスで検索"
          value={condition.q}
          onSearch={q => setCondition({ q, page: 1 })}
        />
        {seesOrganizations && (
          <OrganizationFilter
            value={condition.organizationId}
            onChange={organizationId => setCondition({ organizationId, page: 1 })}
          />
        )}
        <SelectFilter
          label="ロール"
          options={[{ value: 'all', label: 'すべて' }, ...roleOptions(viewer)]}
          value={condition.role}
          onChange={role => setCondition({ role, page: 1 })}
        />
        <SelectFilter
          label="状態"
          options={STATES}
          value={condition.state}
          onChange={state => setCondition({ state, page: 1 })}
        />
      </Filters>
      <Card title="ユーザーの一覧" flush>
        <DataTable
          caption="ユーザーの一覧"
          columns={columnsFor(seesOrganizations)}
          rows={users?.nodes ?? []}
          rowKey={user => user.uid}
          sort={sortOf(condition.sort)}
          onSort={sort => setCondition({ sort: sortText(sort), page: 1 })}
          isLoading={props.isLoading}
          {...(props.error ? { failure: { retry: props.retry } } : {})}
          empty={{
            title: '該当するユーザーがいません',
            hint: '検索する文字や絞り込みの条件を変えて、もう一度お試しください。',
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

/** Roles that can occur among the people whom the viewer sees. */
function roleOptions(viewer: Viewer): readonly { value: Role; label: string }[] {
  const isConfined = isPublisherUser(viewer) && !viewer.can('read:list', 'iam:org.')
  const roles = isConfined ? rolesGivenBy(['insight:publisher_admin']) : ROLES
  return roles.map(value => ({ value, label: ROLE_LABELS_JA[value].label }))
}

/** The server has sorted: equal values keep its order. */
const SORTED_BY_SERVER = () => 0

function columnsFor(seesOrganizations: boolean): readonly Column<UserRowFragment>[] {
  return [
    {
      id: 'EMAIL',
      header: 'メールアドレス',
      isHeading: true,
      cell: user => <a href={addressOf(userEditPath(user.uid))}>{user.email}</a>,
      sortValue: SORTED_BY_SERVER,
    },
    { id: 'roles', header: 'ロール', cell: user => <RoleList roles={user.roles} /> },
    ...(seesOrganizations
      ? [{ id: 'organization', header: '組織', cell: (user: UserRowFragment) => user.organization?.name ?? '—' }]
      : []),
    { id: 'ENABLED', header: '状態', cell: user => <UserState user={user} />, sortValue: SORTED_BY_SERVER },
    { id: 'CREATEDAT', header: '登録日時', cell: user => formatInstant(user.createdAt), sortValue: SORTED_BY_SERVER },
  ]
}

function sortOf(sort: UserCondition['sort']): Sort {
  const [columnId = '', direction] = sort.split('_')
  return { columnId, isDescending: direction === 'DESC' }
}

function sortText(sort: Sort): UserCondition['sort'] {
  return `${sort.columnId}_${sort.isDescending ? 'DESC' : 'ASC'}` as UserCondition['sort']
}
