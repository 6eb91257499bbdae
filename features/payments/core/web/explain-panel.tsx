import { useQuery } from '@apollo/client/react'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { truncate } from '@pc/domain/text/truncate.ts'
import { downloadCsv } from '@pc/ui/data/csv.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { isPublisherUser, useViewer } from '@pc/ui/session/viewer.tsx'
import { IconChevronRight, IconDownload } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { agreementEditPath } from '../../../agreements/links.ts'
import { askAddress } from '../../../questions/links.ts'
import { articleReportPath, videoReportPath } from '../../../reports/links.ts'
import type { ExplainTarget } from '../../explain-address.ts'
import { ExplainAmountDocument, type ExplainAmountQuery, type ExplainColumn } from './explain.gen.ts'
import styles from './explain-panel.module.css'
import { PaymentChange } from './payment-change.tsx'

type Node = NonNullable<ExplainAmountQuery['explainAmount']>
type Child = Node['children'][number]

interface PanelProps {
  target: ExplainTarget
  at: string
  onMove: (target: ExplainTarget, at: string) => void
  onClose: () => void
}

/** Where an amount comes from, level by level down to the day and its articles. */
export function ExplainPanel({ target, at, onMove, onClose }: PanelProps) {
  const { kind, id, column } = target
  const { data, previousData, loading, error, refetch } = useQuery(ExplainAmountDocument, {
    variables: { kind, id, column: column as ExplainColumn, ...(at === '' ? {} : { path: at }) },
  })
  const node = (data ?? (loading ? previousData : undefined))?.explainAmount
  return (
    <Dialog
      title="金額の内訳"
      size="drawer"
      onClose={onClose}
      actions={
        node && (
          <>
            <AskLink target={target} at={at === '' ? '' : node.id} />
            <CsvButton node={node} />
          </>
        )
      }
    >
      <div className={styles.panel} aria-busy={loading}>
        {error && !node ? (
          <FailedContent onRetry={() => void refetch()} />
        ) : loading && !node ? (
          <div role="status" aria-label="読み込み中">
            <Skeleton height={64} />
            <Skeleton height={220} />
          </div>
        ) : node ? (
          <>
            <Level node={node} isMoved={at !== ''} onMove={next => onMove(target, next)} onContinue={onMove} />
            {at === '' && <PaidChange target={target} />}
          </>
        ) : (
          <p>この金額の内訳は表示できません。計算し直されたか、表示する権限がない可能性があります。</p>
        )}
      </div>
    </Dialog>
  )
}

/** The change since the month before, for the column of what is paid and for no other. */
function PaidChange({ target: { kind, id, column } }: { target: ExplainTarget }) {
  if (kind === 'payment' && column === 'paymentIncludingTax') return <PaymentChange kind={kind} id={id} />
  if (kind === 'publisher_payment' && column === 'payment') return <PaymentChange kind={kind} id={id} />
  return null
}

/** The link by which a person of a publisher asks about the shown line. */
function AskLink({ target: { kind, id, column }, at }: { target: ExplainTarget; at: string }) {
  const viewer = useViewer()
  const mayAsk = isPublisherUser(viewer) && viewer.can('write:create', 'insight:question.')
  if (!mayAsk || (kind !== 'payment' && kind !== 'publisher_payment')) return null
  return <SecondaryLink address={askAddress({ kind, id, column }, { at })}>質問する</SecondaryLink>
}

interface LevelProps {
  node: Node
  isMoved: boolean
  onMove: (at: string) => void
  onContinue: (target: ExplainTarget, at: string) => void
}

function Level({ node, isMoved, onMove, onContinue }: LevelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(node.id)
  // Moves the focus to the new level, so that screen readers announce it.
  useEffect(() => {
    if (shown.current === node.id) return
    shown.current = node.id
    heading.current?.focus()
  }, [node.id])
  return (
    <>
      {node.trail.length > 0 && (
        <nav aria-label="内訳の階層">
          <ol className={styles.trail}>
            {node.trail.map((step, index) => (
              <li key={step.id}>
                <button type="button" onClick={() => onMove(index === 0 ? '' : step.id)}>
                  {step.label}
                </button>
                <IconChevronRight size={14} aria-hidden />
              </li>
            ))}
            <li aria-current="step">{node.label}</li>
          </ol>
        </nav>
      )}
      <h3 ref={heading} tabIndex={-1} className={styles.label} data-autofocus={isMoved || undefined}>
        {node.label}
        <b className="num">{`${yen(node.amount)}円`}</b>
      </h3>
      <dl className={styles.facts}>
        {node.formula && (
          <div>
            <dt>計算式</dt>
            <dd>{node.formula}</dd>
          </div>
        )}
        {node.inputs.map(input => (
          <div key={input.name}>
            <dt>{input.name}</dt>
            <dd className="num">{input.value}</dd>
          </div>
        ))}
        {node.snapshot && <SnapshotFacts snapshot={node.snapshot} />}
      </dl>
      {node.children.length === 0 ? (
        <p className={styles.bottom}>これより下の内訳はありません。</p>
      ) : (
        <Children node={node} onMove={onMove} onContinue={onContinue} />
      )}
    </>
  )
}

function SnapshotFacts({ snapshot }: { snapshot: NonNullable<Node['snapshot']> }) {
  const month = parseYearMonth(snapshot.month)
  return (
    <div>
      <dt>計算の記録</dt>
      <dd>
        {`${month === undefined ? snapshot.month : monthText(month)}分 No.${snapshot.id} `}
        <Badge tone={snapshot.isFinal ? 'ok' : 'mute'}>
          {snapshot.isFinal ? '確定済み' : '未確定（変わることがあります）'}
        </Badge>
        {snapshot.hash && <code title={snapshot.hash}>{`照合値 ${truncate(snapshot.hash, 12)}`}</code>}
      </dd>
    </div>
  )
}

function Children({ node, onMove, onContinue }: Omit<LevelProps, 'isMoved'>) {
  const isExact = node.childrenSum === node.amount
  return (
    <table className={styles.children}>
      <caption className="visually-hidden">{`${node.label}の内訳`}</caption>
      <thead>
        <tr>
          <th scope="col">内訳</th>
          <th scope="col" className={styles.figure}>
            金額（円）
          </th>
        </tr>
      </thead>
      <tbody>
        {node.children.map(child => (
          <tr key={child.id}>
            <th scope="row">
              {child.hasChildren ? (
                <button type="button" className={styles.deeper} onClick={() => onMove(child.id)}>
                  {child.label}
                  <IconChevronRight size={14} aria-hidden />
                </button>
              ) : (
                <span>{child.label}</span>
              )}
              {child.formula && <small>{child.formula}</small>}
              {child.inputs.length > 0 && (
                <small>{child.inputs.map(input => `${input.name} ${input.value}`).join(' / ')}</small>
              )}
              <Further child={child} onContinue={onContinue} />
            </th>
            <td className="num">{yen(child.amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr data-wrong={!isExact || undefined}>
          <th scope="row">{isExact ? '内訳の合計（上の金額と一致）' : '内訳の合計（上の金額と一致しません）'}</th>
          <td className="num">{yen(node.childrenSum)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** The link from a line to what explains it further: another month, a pool, or the screen of its source. */
function Further({ child, onContinue }: { child: Child; onContinue: LevelProps['onContinue'] }) {
  const viewer = useViewer()
  const { continuesAt, sourceKind, sourceIds } = child
  const [first = '', second = ''] = sourceIds
  if (continuesAt) {
    const { kind, id, column } = continuesAt
    return (
      <button type="button" className={styles.further} onClick={() => onContinue({ kind, id, column }, '')}>
        {kind === 'pool' ? '原資の配分を見る' : '前の月の内訳を見る'}
      </button>
    )
  }
  if (sourceKind === 'article' && viewer.can('read:list', 'insight:article_stats.'))
    return <a href={addressOf(articleReportPath(first, second))}>記事のレポートを開く</a>
  if (sourceKind === 'video' && viewer.can('read:list', 'insight:video_stats.'))
    return <a href={addressOf(videoReportPath(first, second))}>動画のレポートを開く</a>
  if (sourceKind === 'terms' && viewer.can('write:update', 'insight:agreement.'))
    return <a href={addressOf(agreementEditPath(first))}>契約条件を開く</a>
  if (sourceKind === 'opening_balance' && viewer.can('read:list', 'insight:opening_balance.'))
    return <a href={addressOf(agreementEditPath(first))}>期首残高を開く</a>
  return null
}

function CsvButton({ node }: { node: Node }) {
  const save = () =>
    downloadCsv(`内訳_${node.label}.csv`, [
      ['階層', '項目', '金額（円）', '計算式'],
      ...node.trail.map((step, index) => [index, step.label, plain(step.amount), step.formula]),
      [node.trail.length, node.label, plain(node.amount), node.formula],
      ...node.children.map(child => [node.trail.length + 1, child.label, plain(child.amount), child.formula]),
    ])
  return (
    <Button icon={<IconDownload size={16} aria-hidden />} onClick={save} title="この金額までの経路と内訳を書き出します">
      CSV
    </Button>
  )
}

/** The amount as a number for a spreadsheet if a number holds it exactly, otherwise as text with all decimals. */
function plain(amount: string): string | number {
  const text = amount.replaceAll(',', '')
  const value = Number(text)
  return String(value) === text ? value : text
}

function yen(amount: string): string {
  return amount.replace('-', '−')
}
