import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { isPublisherRole } from '@pc/domain/access/role-rank.ts'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant } from '@pc/ui/text/format.ts'
import { USER_INVITE_PATH, userEditPath } from '../links.ts'
import { USER_PAGE_SIZE, USER_SORTS, type UserCondition, userCondition } from '../user-condition.ts'
import { OrganizationFilter } from './organization-filter.tsx'
import { RoleList, UserState } from './user-parts.tsx'
import type { UserRowFragment, UsersQuery } from './users-iam.gen.ts'

type Props = ScreenProps<UserCondition, UsersQuery>

const STATES = [
  { value: 'all', label: 'すべて' },
  { value: 'enabled', label: '有効' },
  { value: 'disabled', label: '無効' },
] as const

/** The list of people: everybody or, for a publisher's administrator, the people of their organisation. */
export function UsersView(props: Props) {
  const { condition, setCondition, data, viewer } = props
  const seesOrganizations = viewer.can('read:list', 'iam:org.')
  const { q, organizationId, role, state } = condition
  return (
    <ListScreen
      title="ユーザー管理"
      noun="ユーザー"
      columns={columnsFor(seesOrganizations)}
      rows={data?.users.nodes ?? []}
      rowKey={user => user.uid}
      total={data?.users.total ?? 0}
      page={condition.page}
      pageSize={USER_PAGE_SIZE}
      onPage={page => setCondition({ page })}
      sort={sortOfOrder(condition.sort)}
      onSort={sort => setCondition({ sort: orderOfSort(sort, USER_SORTS) ?? condition.sort, page: 1 })}
      isLoading={props.isLoading}
      error={props.error}
      retry={props.retry}
      isFiltered={q !== '' || organizationId !== undefined || role !== 'all' || state !== 'all'}
      onClearFilters={() => setCondition({ ...userCondition.defaults, sort: condition.sort })}
      create={
        viewer.can('write:create', 'iam:user.')
          ? { label: 'ユーザーを招待', address: addressOf(USER_INVITE_PATH) }
          : undefined
      }
      filters={
        <>
          <SearchFilter
            label="メールアドレスで検索"
            placeholder="メールアドレスで検索"
            value={q}
            onSearch={text => setCondition({ q: text, page: 1 })}
          />
          {seesOrganizations && (
            <OrganizationFilter value={organizationId} onChange={id => setCondition({ organizationId: id, page: 1 })} />
          )}
          <SelectFilter
            label="ロール"
            options={[{ value: 'all', label: 'すべて' }, ...roleOptions(seesOrganizations)]}
            value={role}
            onChange={next => setCondition({ role: next, page: 1 })}
          />
          <SelectFilter
            label="状態"
            options={STATES}
            value={state}
            onChange={next => setCondition({ state: next, page: 1 })}
          />
        </>
      }
    />
  )
}

/** Roles that occur among the people whom the viewer may see. */
function roleOptions(seesOrganizations: boolean): readonly { value: Role; label: string }[] {
  const roles = seesOrganizations ? ROLES : ROLES.filter(isPublisherRole)
  return roles.map(value => ({ value, label: ROLE_LABELS_JA[value].label }))
}

/** The server has sorted the rows, so their order is kept. */
const SORTED_BY_SERVER = () => 0

function columnsFor(seesOrganizations: boolean): readonly Column<UserRowFragment>[] {
  return [
    {
      id: 'EMAIL',
      header: 'メールアドレス',
      isHeading: true,
      cell: user => <RowLink address={addressOf(userEditPath(user.uid))}>{user.email}</RowLink>,
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
