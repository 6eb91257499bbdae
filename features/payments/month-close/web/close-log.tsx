import { useLazyQuery } from '@apollo/client/react'
import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { CLOSE_ACTION_LABELS } from '@pc/domain/payment/close-action.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { FoldingCard } from '@pc/ui/elements/folding-card.tsx'
import { formatInstant, formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { kindLabel, type LogEntry } from '../../core/web/manual-operation-words.ts'
import styles from '../../core/web/month-close.module.css'
import { CheckFinalizedChainsDocument } from './check-chains.gen.ts'

/** By the name that the API gives. */
const ACTIONS: Readonly<Record<string, string>> = CLOSE_ACTION_LABELS
const FEW = 10

/** The log of the month: who did what and when, newest first. */
export function CloseLog(props: {
  entries: readonly LogEntry[]
  mediumName: (id: string) => string
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}) {
  const { entries, mediumName, isOpen, onToggle } = props
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? entries : entries.slice(0, FEW)
  return (
    <FoldingCard
      title="締めの記録"
      note={`${formatInteger(entries.length)}件`}
      tools={<ChainCheck />}
      isOpen={isOpen}
      onToggle={onToggle}
    >
      {entries.length === 0 && <p className={styles.none}>この月の記録はまだありません。</p>}
      <ol className={styles.log}>
        {shown.map(entry => (
          <li key={entry.id}>
            <time dateTime={entry.at}>{formatInstant(entry.at)}</time>
            <b>{ACTIONS[entry.action] ?? entry.action}</b>
            <span>{mediumName(entry.mediumId)}</span>
            <span>{detailText(entry.detail)}</span>
            <small>{entry.actorEmail ?? 'システム'}</small>
          </li>
        ))}
      </ol>
      {!isWhole && entries.length > FEW && (
        <Button tone="quiet" onClick={() => setWhole(true)}>
          以前の記録も表示
        </Button>
      )}
    </FoldingCard>
  )
}

/** The log stores an entry as `処理 12（csv）`; people read the kind in Japanese instead. */
function detailText(detail: string): string {
  return detail.replace(/処理 \d+（(\w+)）/, (_whole, kind: string) => `${kindLabel(kind as 'csv')} `)
}

/** Recomputes the hashes of all finalised months, to see whether anything was changed since. */
function ChainCheck() {
  const [check, { data, loading, error }] = useLazyQuery(CheckFinalizedChainsDocument, {
    fetchPolicy: 'no-cache',
    notifyOnNetworkStatusChange: true,
  })
  const chains = data?.checkFinalizedChains
  const broken = chains?.flatMap(chain => chain.breaks.map(each => ({ ...each, mediumName: chain.mediumName }))) ?? []
  const months = chains?.reduce((sum, chain) => sum + chain.months, 0) ?? 0
  return (
    <div className={styles.chain}>
      <div role="status">
        {error && !loading && <span>検証できませんでした。もう一度お試しください。</span>}
        {chains && !loading && broken.length === 0 && (
          <Badge tone="ok">
            {months === 0 ? '確定した月はありません' : `確定済み${months}か月分に改変はありません`}
          </Badge>
        )}
        {!loading && broken.length > 0 && (
          <ul className={styles.errors}>
            {broken.map(each => (
              <li key={`${each.mediumName}${each.month}${each.agreementId}`}>
                {`${each.mediumName} ${isoMonthText(each.month)}分が確定時の内容と一致しません${
                  each.agreementId === null ? '' : `（契約 ${each.agreementId}）`
                }。システム管理者に連絡してください。`}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Button disabled={loading} onClick={() => void check()}>
        {loading ? '検証しています…' : '確定済みの記録を検証する'}
      </Button>
    </div>
  )
}
