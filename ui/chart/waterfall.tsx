import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { formatInteger, formatSigned } from '../text/format.ts'
import styles from './waterfall.module.css'

export interface WaterfallStep {
  readonly name: string
  readonly label: string
  /** The change; for the first and the last step the amount itself. */
  readonly amount: number
  /** The running total after the step. */
  readonly level: number
  /** The lines of the step; they sum to it. */
  readonly lines: readonly { readonly label: string; readonly amount: number }[]
}

/**
 * The steps from one amount (the first) to another (the last) as a table whose middle column draws them. Each step can
 * be opened into its lines.
 */
export function Waterfall({
  caption,
  steps,
  header = '金額（円）',
  texts = YEN,
}: {
  caption: string
  steps: readonly WaterfallStep[]
  /** Heading of the column of figures, with their unit. */
  header?: string
  texts?: WaterfallTexts
}) {
  const scale = scaleOf(steps)
  return (
    <div className={styles.waterfall}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">項目</th>
            <td aria-hidden />
            <th scope="col" className={styles.figure}>
              {header}
            </th>
          </tr>
        </thead>
        {steps.map((step, index) => {
          const isLevel = index === 0 || index === steps.length - 1
          const from = isLevel ? 0 : (steps[index - 1]?.level ?? 0)
          return <Step key={step.name} {...{ step, isLevel, from, scale, texts }} />
        })}
      </table>
      {scale.low > 0 && <p className={styles.note}>増減が見えるように、図の左端は0ではありません。</p>}
    </div>
  )
}

/** How totals and changes are formatted. */
export interface WaterfallTexts {
  readonly level: (value: number) => string
  readonly change: (value: number) => string
}
const YEN: WaterfallTexts = { level: formatInteger, change: formatSigned }

interface StepProps {
  texts: WaterfallTexts
  step: WaterfallStep
  isLevel: boolean
  from: number
  scale: Scale
}

function Step({ step, isLevel, from, scale, texts }: StepProps) {
  const [isOpen, setOpen] = useState(false)
  const text = isLevel ? texts.level : texts.change
  return (
    <tbody>
      <tr data-level={isLevel || undefined}>
        <th scope="row">
          {step.lines.length === 0 ? (
            <span className={styles.flat}>{step.label}</span>
          ) : (
            <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <IconChevronRight size={14} aria-hidden />
              {step.label}
            </button>
          )}
        </th>
        <td className={styles.plot} aria-hidden>
          <Bar {...{ step, isLevel, from, scale }} />
        </td>
        <td className="num">{text(step.amount)}</td>
      </tr>
      {isOpen &&
        step.lines.map(line => (
          <tr key={line.label} className={styles.line}>
            <th scope="row" colSpan={2}>
              {line.label}
            </th>
            <td className="num">{text(line.amount)}</td>
          </tr>
        ))}
    </tbody>
  )
}

interface Scale {
  readonly low: number
  readonly high: number
}

/** The scale begins at zero, unless the changes would be too small to see beside the amount. */
function scaleOf(steps: readonly WaterfallStep[]): Scale {
  const levels = steps.map(step => step.level)
  const [least, most] = [Math.min(...levels), Math.max(...levels)]
  const span = most - least
  const isFlat = least > 0 && span < most / 4
  return { low: isFlat ? Math.max(0, least - Math.max(span, most / 50)) : Math.min(0, least), high: Math.max(most, 1) }
}

function Bar({ step, isLevel, from, scale }: Omit<StepProps, 'texts'>) {
  const at = (value: number) => (Math.max(0, value - scale.low) / (scale.high - scale.low || 1)) * 100
  const [left, right] = [at(Math.min(from, step.level)), at(Math.max(from, step.level))]
  const way = isLevel ? 'level' : step.amount < 0 ? 'down' : step.amount > 0 ? 'up' : 'none'
  return <i data-way={way} style={{ left: `${left}%`, width: `max(2px, ${right - left}%)` }} />
}
