import { addressLine } from '@pc/domain/text/postal-address.ts'
import { SearchFilter } from '@pc/ui/elements/list-top.tsx'
import { orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { ORGANIZATION_CREATE_PATH, organizationEditPath } from '../links.ts'
import { ORGANIZATION_PAGE_SIZE, ORGANIZATION_SORTS, type OrganizationCondition } from '../organization-condition.ts'
import type { OrganizationsQuery } from './organizations-iam.gen.ts'

type Props = ScreenProps<OrganizationCondition, OrganizationsQuery>
type Organization = OrganizationsQuery['organizations']['nodes'][number]

export function OrganizationsView(props: Props) {
  const { condition, setCondition, data, viewer } = props
  return (
    <ListScreen
      title="組織"
      noun="組織"
      columns={COLUMNS}
      rows={data?.organizations.nodes ?? []}
      rowKey={organization => organization.id}
      total={data?.organizations.total ?? 0}
      page={condition.page}
      pageSize={ORGANIZATION_PAGE_SIZE}
      onPage={page => setCondition({ page })}
      sort={sortOfOrder(condition.sort)}
      onSort={sort => setCondition({ sort: orderOfSort(sort, ORGANIZATION_SORTS) ?? condition.sort, page: 1 })}
      isLoading={props.isLoading}
      error={props.error}
      retry={props.retry}
      isFiltered={condition.q !== ''}
      onClearFilters={() => setCondition({ q: '', page: 1 })}
      create={
        viewer.can('write:create', 'iam:org.')
          ? { label: '組織を登録', address: addressOf(ORGANIZATION_CREATE_PATH) }
          : undefined
      }
      filters={
        <SearchFilter
          label="組織名で検索"
          placeholder="組織名で検索"
          value={condition.q}
          onSearch={q => setCondition({ q, page: 1 })}
        />
      }
    />
  )
}

/** The server has sorted the rows, so their order is kept. */
const SORTED_BY_SERVER = () => 0

const COLUMNS: readonly Column<Organization>[] = [
  {
    id: 'NAME',
    header: '組織名',
    isHeading: true,
    cell: organization => (
      <RowLink address={addressOf(organizationEditPath(organization.id))}>{organization.name}</RowLink>
    ),
    sortValue: SORTED_BY_SERVER,
  },
  { id: 'address', header: '住所', cell: organization => addressLine(organization) || NO_VALUE },
  { id: 'ID', header: 'ID', isFigure: true, cell: organization => organization.id, sortValue: SORTED_BY_SERVER },
  {
    id: 'users',
    header: 'ユーザー（人）',
    isFigure: true,
    cell: organization => formatInteger(organization.userCount),
  },
  { id: 'updatedAt', header: '更新日時', cell: organization => formatInstant(organization.updatedAt) },
]
