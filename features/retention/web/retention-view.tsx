import type { Day } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { HoldDialog } from './hold-dialog.tsx'
import { ReleaseLegalHoldDocument, type RetentionQuery } from './retention.gen.ts'
import styles from './retention.module.css'
import { ScreenUseCard } from './screen-use-card.tsx'

type Retention = NonNullable<RetentionQuery['retention']>
type Hold = Retention['holds'][number]
type Rule = Retention['rules'][number]
type Run = Retention['runs'][number]

/** Retention periods with their reasons, legal holds, and past deletions. */
export function RetentionView(props: ScreenProps<object, RetentionQuery>) {
  const { data, viewer, today, retry } = props
  const [open, setOpen] = useState<'new' | Hold>()
  const release = useSubmission(ReleaseLegalHoldDocument)
  const retention = data?.retention
  const mayPlace = viewer.can('write:create', 'insight:legal_hold.')
  const mayRelease = viewer.can('write:update', 'insight:legal_hold.')
  const done = (message: string) => {
    setOpen(undefined)
    showToast({ tone: 'success', message })
    retry()
  }
  return (
    <>
      <ScreenTop
        title="保存期間と保全"
        note={mayPlace ? undefined : '閲覧のみできます。保全の登録と解除は管理者に依頼してください。'}
      >
        {mayPlace && (
          <Button tone="primary" onClick={() => setOpen('new')}>
            保全を登録する
          </Button>
        )}
      </ScreenTop>
      {!retention && props.error !== undefined && <FailedContent onRetry={retry} />}
      {!retention && props.error === undefined && <Skeleton height={320} />}
      {retention && (
        <div className={styles.screen}>
          <Card title="保全" note="登録している間は、保存期間を過ぎても自動で削除しません" flush>
            <DataTable<Hold>
              caption="保全の一覧"
              rows={retention.holds}
              rowKey={hold => hold.id}
              columns={holdColumns(mayRelease ? setOpen : undefined)}
              empty={{ title: '保全はありません', hint: '訴訟や税務調査などで記録を残すときに登録します。' }}
            />
          </Card>
          <Card title="保存期間" note="自動で削除するものは毎晩削除します" flush>
            <DataTable<Rule>
              caption="保存期間の一覧"
              rows={retention.rules}
              rowKey={rule => rule.id}
              columns={RULE_COLUMNS}
              empty={{ title: '', hint: '' }}
            />
          </Card>
          <Card title="削除の記録" note="新しい順に100件まで" flush>
            <DataTable<Run>
              caption="削除の記録"
              rows={retention.runs}
              rowKey={run => run.id}
              columns={runColumns(retention.rules)}
              empty={{
                title: '削除したものはまだありません',
                hint: '保存期間を過ぎたものを削除すると、ここに表示されます。',
              }}
            />
          </Card>
          <ScreenUseCard today={today} />
        </div>
      )}
      {open === 'new' && (
        <HoldDialog today={today} onClose={() => setOpen(undefined)} onPlaced={() => done('保全を登録しました。')} />
      )}
      {open !== undefined && open !== 'new' && (
        <ReasonDialog
          title={`${coveredText(open)}の保全を解除します`}
          note="解除すると、保存期間を過ぎた記録は次の夜に削除され、元に戻せません。"
          label="解除の理由"
          action="保全を解除する"
          maxLength={500}
          onClose={() => setOpen(undefined)}
          onSubmit={reason => release({ id: open.id, reason }).then(() => done('保全を解除しました。'))}
        />
      )}
    </>
  )
}

function coveredText({ organizationName, fromMonth, toMonth }: Hold): string {
  const [from, to] = [parseYearMonth(fromMonth ?? ''), parseYearMonth(toMonth ?? '')]
  const months =
    from === undefined || to === undefined
      ? 'すべての月'
      : from === to
        ? monthText(from)
        : `${monthText(from)}〜${monthText(to)}`
  return `${organizationName ?? 'すべての組織'}・${months}`
}

function holdColumns(onRelease: ((hold: Hold) => void) | undefined): Column<Hold>[] {
  return [
    { id: 'covered', header: '対象', isHeading: true, cell: coveredText },
    {
      id: 'state',
      header: '状態',
      cell: hold =>
        hold.releasedAt === null ? <Badge tone="warn">保全中</Badge> : <Badge tone="mute">解除済み</Badge>,
    },
    {
      id: 'reason',
      header: '理由',
      cell: hold => (
        <span className={styles.text} data-wide>
          {hold.reason}
          {hold.releaseReason && <small>{`解除：${hold.releaseReason}`}</small>}
        </span>
      ),
    },
    {
      id: 'placed',
      header: '登録',
      cell: hold => (
        <span className={styles.text}>
          {formatInstant(hold.placedAt)}
          <small>{hold.placedByEmail}</small>
        </span>
      ),
    },
    ...(onRelease
      ? [
          {
            id: 'release',
            header: '操作',
            cell: (hold: Hold) =>
              hold.releasedAt === null && (
                <Button aria-label={`${coveredText(hold)}の保全を解除する`} onClick={() => onRelease(hold)}>
                  解除する
                </Button>
              ),
          },
        ]
      : []),
  ]
}

const RULE_COLUMNS: Column<Rule>[] = [
  { id: 'label', header: '種類', isHeading: true, cell: rule => rule.label },
  { id: 'kept', header: '保存期間', cell: keptText },
  {
    id: 'why',
    header: '理由・根拠',
    cell: rule => (
      <span className={styles.text} data-wide>
        {rule.why}
      </span>
    ),
  },
]

function keptText({ deletedBy, months, days }: Rule): string {
  if (deletedBy === 'nobody') return '削除しません'
  if (deletedBy === 'job') return `${months}か月`
  return days === 0 ? '期限まで' : `${days}日`
}

function runColumns(rules: readonly Rule[]): Column<Run>[] {
  return [
    { id: 'at', header: '日時', isHeading: true, cell: run => formatInstant(run.ranAt) },
    { id: 'kind', header: '種類', cell: run => rules.find(rule => rule.id === run.kind)?.label ?? run.kind },
    { id: 'since', header: '削除した範囲', cell: run => `${dayText(run.keptSince as Day)}より前` },
    { id: 'deleted', header: '削除（件）', isFigure: true, cell: run => formatInteger(run.deleted) },
    { id: 'held', header: '保全で残した数（件）', isFigure: true, cell: run => formatInteger(run.held) },
  ]
}
