import { lazy } from '@pc/ui/routing/lazy.ts'
import { formatInteger, formatSigned, NO_VALUE } from '@pc/ui/text/format.ts'
import { createContext, type ReactNode, Suspense, use, useEffect, useMemo, useRef } from 'react'
import { BRIDGE_COLUMN, type ExplainTarget, formatExplainTarget, parseExplainTarget } from '../../explain-address.ts'
import styles from './payments.module.css'

const ExplainPanel = lazy(() => import('./explain-panel.tsx').then(module => ({ default: module.ExplainPanel })))
const BridgePanel = lazy(() => import('./bridge-panel.tsx').then(module => ({ default: module.BridgePanel })))

type Open = (target: ExplainTarget) => void
const Opening = createContext<{ readonly kind: ExplainTarget['kind']; readonly open: Open } | undefined>(undefined)

interface Opened {
  /** As `formatExplainTarget` writes it; empty: nothing is open. */
  readonly explain: string
  /** The node that is shown; empty: the amount itself. */
  readonly at: string
}

/** Lets the amounts of a list open their explanation. The address holds which one is open, so that it can be shared. */
export function ExplainableAmounts(props: {
  kind: ExplainTarget['kind']
  condition: Opened
  onChange: (change: Opened) => void
  children: ReactNode
}) {
  const { kind, condition, onChange } = props
  // Kept in a ref, so that the rows are not drawn again when the address changes.
  const opener = useRef<Element | null>(null)
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  })
  const opening = useMemo(
    () => ({
      kind,
      open: (opened: ExplainTarget) => {
        opener.current = document.activeElement
        change.current({ explain: formatExplainTarget(opened), at: '' })
      },
    }),
    [kind],
  )
  const target = parseExplainTarget(condition.explain)
  const isOpen = target !== undefined
  useEffect(() => {
    if (isOpen) return
    // The panel closes with its address; the focus returns to the button that opened it.
    if (opener.current?.isConnected) (opener.current as HTMLElement).focus()
    opener.current = null
  }, [isOpen])
  return (
    <Opening value={opening}>
      {props.children}
      {target && (
        <Suspense>
          {target.column === BRIDGE_COLUMN && (target.kind === 'payment' || target.kind === 'publisher_payment') ? (
            <BridgePanel kind={target.kind} id={target.id} onClose={() => onChange({ explain: '', at: '' })} />
          ) : (
            <ExplainPanel
              target={target}
              at={condition.at}
              onMove={(next, at) => onChange({ explain: formatExplainTarget(next), at })}
              onClose={() => onChange({ explain: '', at: '' })}
            />
          )}
        </Suspense>
      )}
    </Opening>
  )
}

/** An amount that opens its explanation when it is pressed; plain text outside of {@link ExplainableAmounts}. */
export function ExplainedYen(props: { id: string; column: string; label: string; amount: number }) {
  const { id, column, label, amount } = props
  const opening = use(Opening)
  const sign = amount < 0 ? styles.negative : undefined
  if (!opening) return <span className={sign}>{formatInteger(amount)}</span>
  return (
    <button
      type="button"
      className={styles.amount}
      aria-haspopup="dialog"
      aria-label={`${label.replace('（円）', '')} ${formatInteger(amount)}円の内訳`}
      onClick={() => opening.open({ kind: opening.kind, id, column })}
    >
      <span className={sign}>{formatInteger(amount)}</span>
    </button>
  )
}

/** The difference of the final amount to the estimate; pressed, it opens the steps between them. */
export function EstimateDifference(props: { id: string; finalYen: number | undefined; estimateYen: number | null }) {
  const { id, finalYen, estimateYen } = props
  const opening = use(Opening)
  if (finalYen !== undefined && estimateYen === null) return <span>{NO_VALUE}</span>
  const differenceYen = finalYen === undefined ? undefined : finalYen - (estimateYen ?? 0)
  const text = differenceYen === undefined ? '目安' : formatSigned(differenceYen)
  return (
    <button
      type="button"
      className={styles.amount}
      aria-haspopup="dialog"
      aria-label={differenceYen === undefined ? '速報値の目安' : `速報との差 ${text}円の理由`}
      onClick={() => opening?.open({ kind: opening.kind, id, column: BRIDGE_COLUMN })}
    >
      {text}
    </button>
  )
}
