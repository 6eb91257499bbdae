import { ButtonLink } from '@pc/ui/button.tsx'
import { Card } from '@pc/ui/card.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { formatInteger } from '@pc/ui/format.ts'
import { formatInstant } from '@pc/ui/instant-text.ts'
import { Filters, Pager, ScreenTop, SearchFilter } from '@pc/ui/list-top.tsx'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { IconBuildingPlus } from '@tabler/icons-react'
import { ORGANIZATION_CREATE_PATH, organizationEditPath } from '../links.ts'
import { ORGANIZATION_PAGE_SIZE, type OrganizationCondition } from '../organization-condition.ts'
import type { OrganizationsQuery } from './organizations-iam.gen.ts'

type Props = ScreenProps<OrganizationCondition, OrganizationsQuery>
type Organization = OrganizationsQuery['organizations']['nodes'][number]

export function OrganizationsView(props: Props) {
  const { condition, setCondition, data, viewer } = props
  const organizations = data?.organizations
  return (
    <>
      <ScreenTop title="組織">
        {viewer.can('write:create', 'iam:org.') && (
          <ButtonLink
            tone="primary"
            href={addressOf(ORGANIZATION_CREATE_PATH)}
            icon={<IconBuildingPlus size={16} aria-hidden />}
          >
            組織を登録
          </ButtonLink>
        )}
      </ScreenTop>
      <Filters>
        <SearchFilter
          label="組織名で検索"
          placeholder="組織名で検索"
          value={condition.q}
          onSearch={q => setCondition({ q, page: 1 })}
        />
      </Filters>
      <Card title="組織の一覧" flush>
        <DataTable
          caption="組織の一覧"
          columns={COLUMNS}
          rows={organizations?.nodes ?? []}
          rowKey={organization => organization.id}
          sort={sortOf(condition.sort)}
          onSort={sort => setCondition({ sort: sortText(sort), page: 1 })}
          isLoading={props.isLoading}
          {...(props.error ? { failure: { retry: props.retry } } : {})}
          empty={{ title: '該当する組織がありません', hint: '検索する文字を変えて、もう一度お試しください。' }}
        />
        {organizations && (
          <Pager
            page={condition.page}
            size={ORGANIZATION_PAGE_SIZE}
            total={organizations.total}
            onPage={page => setCondition({ page })}
          />
        )}
      </Card>
    </>
  )
}

/** The server has sorted: equal values keep its order. */
const SORTED_BY_SERVER = () => 0

const COLUMNS: readonly Column<Organization>[] = [
  {
    id: 'NAME',
    header: '組織名',
    isHeading: true,
    cell: organization => <a href={addressOf(organizationEditPath(organization.id))}>{organization.name}</a>,
    sortValue: SORTED_BY_SERVER,
  },
  { id: 'ID', header: 'ID', isFigure: true, cell: organization => organization.id, sortValue: SORTED_BY_SERVER },
  {
    id: 'users',
    header: 'ユーザー（人）',
    isFigure: true,
    cell: organization => formatInteger(organization.userCount),
  },
  { id: 'updatedAt', header: '更新日時', cell: organization => formatInstant(organization.updatedAt) },
]

function sortOf(sort: OrganizationCondition['sort']): Sort {
  const [columnId = '', direction] = sort.split('_')
  return { columnId, isDescending: direction === 'DESC' }
}

function sortText(sort: Sort): OrganizationCondition['sort'] {
  return `${sort.columnId}_${sort.isDescending ? 'DESC' : 'ASC'}` as OrganizationCondition['sort']
}
