import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { MAX_ACKNOWLEDGEMENT_REASON } from '@pc/domain/payment/close-refusal.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { formatInstant } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { type BoardRow, CHECK_TONES, checkWord, cureText } from '../../core/web/manual-operation-words.ts'
import styles from '../../core/web/month-close.module.css'
import { MONTH_CLOSE_PATH } from '../../links.ts'
import { monthCloseCondition } from '../../month-close-condition.ts'

type Check = BoardRow['checks'][number]

/** The checks of a medium, each with its finding and a link to the screen that resolves it. */
export function CheckDetails(props: {
  mediumName: string
  checks: readonly Check[]
  month: YearMonth
  /** The month is final, so nothing can be acknowledged any more. */
  isFinal: boolean
  onCompute: (() => void) | undefined
  /** Scrolls to the list of adjustments, where some findings are resolved. */
  onShowEntries: () => void
  /** Undefined: the viewer may not acknowledge anything. */
  onAcknowledge: ((check: Check, reason: string) => Promise<void>) | undefined
}) {
  return (
    <ul className={styles.checks} aria-label={`${props.mediumName}の確認項目`}>
      {props.checks.map(check => (
        <li key={check.kind} data-tone={CHECK_TONES[check.state]}>
          <Badge tone={CHECK_TONES[check.state]}>{checkWord(check, props.isFinal)}</Badge>
          <b>{check.label}</b>
          <span className={styles.detail}>
            {check.detail}
            {check.acknowledgements.map(each => (
              <small key={each.at} className={styles.acknowledged}>
                {`確認済み：${each.reason}（${each.byEmail ?? '不明'}、${formatInstant(each.at)}）`}
              </small>
            ))}
          </span>
          <Cure {...props} check={check} />
          {props.onAcknowledge && check.subject && (
            <Acknowledge check={check} mediumName={props.mediumName} onAcknowledge={props.onAcknowledge} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Acknowledge(props: {
  check: Check
  mediumName: string
  onAcknowledge: (check: Check, reason: string) => Promise<void>
}) {
  const { check, mediumName, onAcknowledge } = props
  const [isAsking, setAsking] = useState(false)
  const action = check.acknowledgements.length > 0 ? '理由を変更する' : '確認済みにする'
  return (
    <>
      <Button tone="quiet" aria-label={`${mediumName}の「${check.label}」を${action}`} onClick={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <ReasonDialog
          about={`${mediumName}/${check.kind}`}
          title={`「${check.label}」を確認済みにする`}
          note={`${check.detail} 問題のない理由を残すと、注意が消えます。内容が変わると、もう一度表示します。`}
          label="問題のない理由"
          action="確認済みにする"
          tone="primary"
          maxLength={MAX_ACKNOWLEDGEMENT_REASON}
          onClose={() => setAsking(false)}
          onSubmit={async reason => {
            await onAcknowledge(check, reason)
            setAsking(false)
          }}
        />
      )}
    </>
  )
}

function Cure(props: {
  check: Check
  month: YearMonth
  onCompute: (() => void) | undefined
  onShowEntries: () => void
}) {
  const { check, month, onCompute, onShowEntries } = props
  if (!check.link || check.state === 'green') return null
  const here = addressOf(MONTH_CLOSE_PATH, monthCloseCondition.format({ month }))
  const address = `#${check.link.replace(/^#/, '')}`
  if (address !== here) return <a href={address}>{cureText(check)}</a>
  if (check.kind === 'agreements' || check.kind === 'invariants') {
    return onCompute ? (
      <Button tone="quiet" onClick={onCompute}>
        計算し直す
      </Button>
    ) : null
  }
  return (
    <Button tone="quiet" onClick={onShowEntries}>
      調整の一覧へ
    </Button>
  )
}
