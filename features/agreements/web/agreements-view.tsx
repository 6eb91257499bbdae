import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { useConditionList } from '@pc/ui/list/use-condition-list.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstantDay, NO_VALUE } from '@pc/ui/text/format.ts'
import {
  AGREEMENT_LIST_ORDERS,
  AGREEMENT_PAGE_SIZE,
  type AgreementCondition,
  agreementCondition,
} from '../agreement-condition.ts'
import { AGREEMENT_CREATE_PATH, agreementEditPath } from '../links.ts'
import { FEE_PAYERS, labelIn, PAYMENT_TIMINGS } from './agreement-words.ts'
import type { AgreementsQuery } from './agreements.gen.ts'
import { ACCOUNTS, agreementsQuery, IN_HOUSE } from './agreements-query.ts'

type Row = NonNullable<AgreementsQuery['agreements']>['nodes'][number]

const LIST = {
  condition: agreementCondition,
  orders: AGREEMENT_LIST_ORDERS,
  pageSize: AGREEMENT_PAGE_SIZE,
  query: agreementsQuery,
  list: (data: AgreementsQuery) => data.agreements,
} as const

const STATES = [
  { value: 'active', label: '有効（解約予定を含む）' },
  { value: 'terminating', label: '解約予定' },
  { value: 'terminated', label: '解約済み' },
  { value: 'all', label: 'すべて' },
] as const
const PAYMENTS = [
  { value: 'all', label: 'すべて' },
  { value: 'enabled', label: '支払中' },
  { value: 'disabled', label: '支払停止中' },
] as const

const NEEDS = [
  { value: 'all', label: 'すべて' },
  { value: 'renewal', label: '更新の確認が必要' },
  { value: 'account', label: '口座が未登録' },
] as const

/** Whether the viewer may use the filter; for anybody else the server returns an empty list. */
function isVisibleTo(viewer: Viewer, need: (typeof NEEDS)[number]['value']): boolean {
  if (need === 'all') return true
  const { action, resource } = need === 'renewal' ? IN_HOUSE : ACCOUNTS
  return viewer.can(action, resource)
}

/** The list of agreements. */
export function AgreementsView(props: ScreenProps<AgreementCondition, AgreementsQuery>) {
  const { condition, viewer } = props
  const media = useMedia()
  const { change, shown, pieces } = useConditionList(props, LIST)
  const needs = NEEDS.filter(({ value }) => isVisibleTo(viewer, value))
  return (
    <ListScreen
      title="契約"
      noun="契約"
      columns={columnsFor(viewer, media.nameOf)}
      {...shown}
      rowKey={row => row.id}
      filters={
        <>
          <SearchFilter
            label="契約を検索"
            placeholder="契約名・コード・組織名・登録番号"
            value={condition.q}
            onSearch={q => change({ q })}
          />
          <SelectFilter
            label="媒体"
            options={[{ value: '', label: 'すべて' }, ...media.options]}
            value={condition.mediumId ?? ''}
            onChange={id => change({ mediumId: id === '' ? undefined : id })}
          />
          <SelectFilter label="契約" options={STATES} value={condition.state} onChange={state => change({ state })} />
          <SelectFilter
            label="支払"
            options={PAYMENTS}
            value={condition.payment}
            onChange={payment => change({ payment })}
          />
          {needs.length > 1 && (
            <SelectFilter label="確認" options={needs} value={condition.need} onChange={need => change({ need })} />
          )}
        </>
      }
      create={
        viewer.can('write:create', 'insight:agreement.')
          ? { label: '契約を登録', address: addressOf(AGREEMENT_CREATE_PATH) }
          : undefined
      }
      file={{
        fileName: '契約',
        columns: csvColumns(media.nameOf),
        pieces,
      }}
    />
  )
}

function columnsFor(viewer: Viewer, mediumName: (id: string) => string): Column<Row>[] {
  const inHouse: Column<Row>[] = [
    { id: 'timing', header: '支払期日', cell: row => (row.paymentTiming ? timing(row) : NO_VALUE) },
  ]
  const accounts: Column<Row>[] = [
    {
      id: 'account',
      header: '振込口座',
      cell: row => (row.inUseAgreementBankAccount ? '登録済み' : <Badge tone="warn">未登録</Badge>),
    },
  ]
  return [
    {
      id: 'NAME',
      header: '契約名',
      isHeading: true,
      isSortedByServer: true,
      cell: row => <RowLink address={addressOf(agreementEditPath(row.id))}>{row.name}</RowLink>,
    },
    { id: 'code', header: 'コード', cell: row => row.code },
    // Staff need the id, because CSV files of adjustments name agreements by it.
    ...(isStaffViewer(viewer) ? [{ id: 'id', header: '契約ID', cell: (row: Row) => row.id }] : []),
    { id: 'organization', header: '組織', cell: row => row.organization?.name ?? NO_VALUE },
    { id: 'medium', header: '媒体', cell: row => mediumName(row.mediumId) },
    ...(viewer.can(IN_HOUSE.action, IN_HOUSE.resource) ? inHouse : []),
    ...(viewer.can(ACCOUNTS.action, ACCOUNTS.resource) ? accounts : []),
    { id: 'ISPAYMENTDISABLED', header: '支払', isSortedByServer: true, cell: row => <PaymentBadge row={row} /> },
    { id: 'TERMINATEDAT', header: '契約', isSortedByServer: true, cell: row => <TerminationBadge row={row} /> },
    { id: 'UPDATEDAT', header: '更新日', isSortedByServer: true, cell: row => formatInstantDay(row.updatedAt) },
  ]
}

function PaymentBadge({ row }: { row: Row }) {
  return row.isPaymentDisabled ? <Badge tone="bad">停止中</Badge> : <Badge tone="ok">支払中</Badge>
}

function TerminationBadge({ row }: { row: Row }) {
  if (!row.terminatedAt) return <Badge tone="ok">有効</Badge>
  const day = formatInstantDay(row.terminatedAt)
  return row.isTerminated ? <Badge tone="mute">{`${day} 解約`}</Badge> : <Badge tone="warn">{`${day} 解約予定`}</Badge>
}

function csvColumns(mediumName: (id: string) => string) {
  return [
    { header: 'ID', cell: (row: Row) => row.id },
    { header: '契約名', cell: (row: Row) => row.name },
    { header: '契約コード', cell: (row: Row) => row.code },
    { header: '組織', cell: (row: Row) => row.organization?.name },
    { header: '媒体', cell: (row: Row) => mediumName(row.mediumId) },
    { header: '支払期日', cell: (row: Row) => (row.paymentTiming ? timing(row) : '') },
    { header: '手数料負担', cell: (row: Row) => (row.feePaidBy ? fee(row) : '') },
    { header: '支払', cell: (row: Row) => (row.isPaymentDisabled ? '停止中' : '支払中') },
    { header: '解約日', cell: (row: Row) => (row.terminatedAt ? formatInstantDay(row.terminatedAt) : '') },
    { header: '更新日', cell: (row: Row) => formatInstantDay(row.updatedAt) },
  ]
}

function timing(row: Row): string {
  return labelIn(PAYMENT_TIMINGS, row.paymentTiming)
}

function fee(row: Row): string {
  return labelIn(FEE_PAYERS, row.feePaidBy)
}
