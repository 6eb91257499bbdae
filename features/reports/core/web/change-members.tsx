import { Badge } from '@pc/ui/elements/card.tsx'
import type { ReactNode } from 'react'
import type { ChangePartFieldsFragment, ChangeUnit } from './change-drawer.gen.ts'
import styles from './change-drawer.module.css'
import { changeHeader, changeText, stepsOf, valueText } from './change-text.ts'

interface MembersProps {
  label: string
  parts: readonly ChangePartFieldsFragment[]
  /** The unit of the whole figure, in which the parts' differences are given. */
  unit: ChangeUnit
  difference: number
  addressOf: (part: ChangePartFieldsFragment) => string | undefined
  /** Returns the handler that explains a part; undefined when it has no explanation. */
  onExplain: (part: ChangePartFieldsFragment) => (() => void) | undefined
  /** Closes the drawer, because a link may lead to the screen below it. */
  onFollow: () => void
}

/** The contributions of a dimension's members as a table with bars; the last row is the whole difference. */
export function ChangeMembers({ label, parts, unit, difference, addressOf, onExplain, onFollow }: MembersProps) {
  const steps = parts.map(part => stepsOf(unit, part.difference))
  const largest = Math.max(1, ...steps.map(Math.abs))
  const isRounded = parts.some((part, place) => isOffByRounding(part, unit, steps[place]!))
  return (
    <>
      <table className={styles.members}>
        <caption className="visually-hidden">{`${label}ごとの増減`}</caption>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <td aria-hidden />
            <th scope="col" className={styles.figure}>
              {changeHeader(unit)}
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, place) => (
            <tr key={part.key}>
              <th scope="row">
                <Name part={part} address={addressOf(part)} onFollow={onFollow} />
              </th>
              <td className={styles.plot} aria-hidden>
                <Bar steps={steps[place]!} largest={largest} />
              </td>
              <td className="num">
                <Amount text={changeText(unit, steps[place]!)} label={part.label} onExplain={onExplain(part)} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              合計
            </th>
            <td className="num">{changeText(unit, stepsOf(unit, difference))}</td>
          </tr>
        </tfoot>
      </table>
      {isRounded && (
        <p className={styles.rounding}>合計に合わせて端数を調整するため、増減が前後の差と1ずれる行があります。</p>
      )}
    </>
  )
}

/**
 * Whether a row's difference is not the difference of its two shown figures. Differences are rounded so that they sum to
 * the whole. Only for sums: the parts of a rate are contributions and not differences of figures.
 */
function isOffByRounding({ kind, before, now, unit: own }: ChangePartFieldsFragment, unit: ChangeUnit, steps: number) {
  if (kind === 'others' || kind === 'outside' || own !== unit || before === null || now === null) return false
  return SUMS.includes(unit) && stepsOf(unit, now) - stepsOf(unit, before) !== steps
}

const SUMS: readonly ChangeUnit[] = ['count', 'yen', 'seconds']

function Amount({ text, label, onExplain }: { text: string; label: string; onExplain: (() => void) | undefined }) {
  if (!onExplain) return text
  return (
    <button type="button" title={`「${label}」の増減の理由を見る`} onClick={onExplain}>
      {text}
    </button>
  )
}

interface NameProps extends Pick<MembersProps, 'onFollow'> {
  part: ChangePartFieldsFragment
  address: string | undefined
}

function Name({ part, address, onFollow }: NameProps): ReactNode {
  const { kind, label, unit, before, now } = part
  const isRest = kind === 'others' || kind === 'outside'
  return (
    <>
      {address === undefined ? (
        label
      ) : (
        <a href={address} onClick={onFollow}>
          {label}
        </a>
      )}
      {kind === 'new' && <Badge tone="ok">新規</Badge>}
      {kind === 'gone' && <Badge tone="mute">この期間はなし</Badge>}
      {!isRest && <small className="num">{`${valueText(unit, before)} → ${valueText(unit, now)}`}</small>}
    </>
  )
}

/** Draws a bar from the middle: losses to the left, gains to the right. */
function Bar({ steps, largest }: { steps: number; largest: number }) {
  const size = (Math.abs(steps) / largest) * 50
  const way = steps < 0 ? 'down' : steps > 0 ? 'up' : 'none'
  return <i data-way={way} style={{ left: `${steps < 0 ? 50 - size : 50}%`, width: `max(1px, ${size}%)` }} />
}
