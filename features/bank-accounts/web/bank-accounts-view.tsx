import { isWaiting } from '@pc/domain/bank/pending-bank-account.ts'
import { type Day, day } from '@pc/domain/month/day.ts'
import { monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { ListScreen } from '@pc/ui/list/list-screen.tsx'
import { useConditionList } from '@pc/ui/list/use-condition-list.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstantDay, NO_VALUE } from '@pc/ui/text/format.ts'
import {
  BANK_ACCOUNT_LIST_ORDERS,
  BANK_ACCOUNT_PAGE_SIZE,
  type BankAccountCondition,
  bankAccountCondition,
} from '../bank-account-condition.ts'
import { BANK_ACCOUNT_CREATE_PATH } from '../links.ts'
import { AccountDecision, SwitchCancellation } from './account-decision.tsx'
import { ACCOUNT_STATES, ACCOUNT_TYPES, accountUseText } from './bank-account-words.ts'
import type { BankAccountsQuery } from './bank-accounts.gen.ts'
import { bankAccountsQuery } from './bank-accounts-query.ts'

type Row = NonNullable<BankAccountsQuery['bankAccounts']>['nodes'][number]

const LIST = {
  condition: bankAccountCondition,
  orders: BANK_ACCOUNT_LIST_ORDERS,
  pageSize: BANK_ACCOUNT_PAGE_SIZE,
  query: bankAccountsQuery,
  list: (data: BankAccountsQuery) => data.bankAccounts,
} as const

const STATES = [
  { value: 'all', label: 'すべて' },
  { value: 'requested', label: '承認待ち' },
  { value: 'approved', label: '承認済み' },
  { value: 'rejected', label: '却下' },
] as const

/** The accounts that payments go to, with the requests that wait for another person's decision. */
export function BankAccountsView(props: ScreenProps<BankAccountCondition, BankAccountsQuery>) {
  const { condition, viewer } = props
  const canDecide = viewer.can('write:update', 'insight:bank_account.')
  const { change, shown, pieces } = useConditionList(props, LIST)
  return (
    <ListScreen
      title="口座"
      noun="口座"
      columns={columnsFor(canDecide, props.today, props.retry)}
      {...shown}
      rowKey={row => row.id}
      filters={
        <>
          <SearchFilter
            label="口座を検索"
            placeholder="組織・銀行・口座名義"
            value={condition.q}
            onSearch={q => change({ q })}
          />
          <SelectFilter label="状態" options={STATES} value={condition.state} onChange={state => change({ state })} />
        </>
      }
      create={
        viewer.can('write:create', 'insight:bank_account.')
          ? { label: '口座を申請する', address: addressOf(BANK_ACCOUNT_CREATE_PATH) }
          : undefined
      }
      file={{
        fileName: '口座',
        columns: [
          { header: 'ID', cell: row => row.id },
          { header: '組織', cell: row => row.organization?.name },
          { header: '銀行', cell: row => row.bank?.name },
          { header: '支店', cell: row => row.bankBranch?.name },
          { header: '種別', cell: row => typeOf(row) },
          { header: '口座番号', cell: row => row.number },
          { header: '口座名義', cell: row => row.holder },
          { header: '状態', cell: row => ACCOUNT_STATES[row.state][0] },
          { header: '利用', cell: row => (row.uses ?? []).map(use => accountUseText(use, row)).join('、') },
        ],
        pieces,
      }}
    />
  )
}

function typeOf(row: Row): string {
  return ACCOUNT_TYPES.find(type => type.value === row.typeName)?.label ?? ''
}

function columnsFor(canDecide: boolean, today: Day, onDecided: () => void): Column<Row>[] {
  const decision: Column<Row> = {
    id: 'decision',
    header: '承認',
    cell: row =>
      row.state === 'requested' ? (
        <AccountDecision account={row} today={today} onDecided={onDecided} />
      ) : (row.uses ?? []).some(use => use.state === 'planned') ? (
        <SwitchCancellation account={row} onDone={onDecided} />
      ) : (
        NO_VALUE
      ),
  }
  return [
    { id: 'organization', header: '組織', isHeading: true, cell: row => row.organization?.name ?? NO_VALUE },
    { id: 'bank', header: '銀行・支店', cell: row => <Place row={row} /> },
    { id: 'number', header: '口座番号', cell: row => `${typeOf(row)} ${row.number ?? NO_VALUE}` },
    { id: 'holder', header: '口座名義', cell: row => row.holder },
    { id: 'state', header: '状態', cell: row => <State row={row} today={today} /> },
    { id: 'uses', header: '利用', cell: row => <Uses row={row} /> },
    { id: 'requestedAt', header: '申請日', cell: row => formatInstantDay(row.requestedAt) },
    { id: 'UPDATEDAT', header: '更新日', isSortedByServer: true, cell: row => formatInstantDay(row.updatedAt) },
    ...(canDecide ? [decision] : []),
  ]
}

function Place({ row }: { row: Row }) {
  const isGone = row.bank?.isGone || row.bankBranch?.isGone
  return (
    <>
      {row.bank?.name ?? NO_VALUE} {row.bankBranch?.name}{' '}
      {isGone && (
        <Badge tone="warn" title="統合や廃止で無くなった銀行・支店です。新しい口座を申請してください">
          要確認
        </Badge>
      )}
    </>
  )
}

const USES_SHOWN = 2
/** Never cut: which agreements are paid to the account. */
const USES_STYLE = {
  display: 'grid',
  justifyItems: 'start',
  minWidth: 180,
  paddingBlock: 5,
  whiteSpace: 'normal',
} as const

/** Which agreements are paid to it, or will be: the first ones by name. */
function Uses({ row }: { row: Row }) {
  const uses = row.uses ?? []
  const [first] = uses
  if (!first) return row.state === 'approved' ? '未使用' : NO_VALUE
  const others = uses.length - USES_SHOWN
  const refused = uses.find(use => use.refusal !== null)
  return (
    <span style={USES_STYLE}>
      {uses.some(use => use.state === 'in_use') && <Badge tone="ok">利用中</Badge>}
      {uses.slice(0, USES_SHOWN).map(use => (
        <small key={`${use.agreementId} ${use.state} ${use.fromMonth}`}>{accountUseText(use, row)}</small>
      ))}
      {others > 0 && <small>{`ほか${others}件`}</small>}
      {refused && (
        <>
          <Badge tone="bad">切り替えできません</Badge>
          <small>{refused.refusal}</small>
        </>
      )}
    </span>
  )
}

function State({ row, today }: { row: Row; today: Day }) {
  const [label, tone] = ACCOUNT_STATES[row.state]
  const from = row.usableFrom === null ? null : day(row.usableFrom)
  if (from !== null && isWaiting(from, today))
    return (
      <>
        <Badge tone={tone}>{label}</Badge> {`${monthDayText(from)}から設定可`}
      </>
    )
  return (
    <Badge tone={tone} {...(row.rejectionReason ? { title: `理由：${row.rejectionReason}` } : {})}>
      {label}
    </Badge>
  )
}
