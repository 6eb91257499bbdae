import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type ReactNode, useState } from 'react'
import { FoldingCard } from '../elements/folding-card.tsx'
import { MonthPicker } from '../filter/month-picker.tsx'
import styles from './month-comparison.module.css'

export interface ComparedMonths {
  readonly from: YearMonth
  readonly to: YearMonth
}

/** How many months ahead can be compared, because terms may be agreed in advance. */
const MONTHS_AHEAD = 24

/** Lets the user compare the terms of two months. Nothing is fetched before it is opened. */
export function MonthComparison({ today, children }: { today: Day; children: (months: ComparedMonths) => ReactNode }) {
  const thisMonth = monthOfDay(today)
  const latest = addMonths(thisMonth, MONTHS_AHEAD)
  const [isOpen, setOpen] = useState(false)
  const [months, setMonths] = useState<ComparedMonths>({ from: addMonths(thisMonth, -1), to: thisMonth })
  return (
    <FoldingCard title="2つの月の条件を比較" isOpen={isOpen} onToggle={setOpen}>
      <div className={styles.comparison}>
        <div className={styles.months}>
          <span aria-hidden>比較元</span>
          <MonthPicker
            label="比較元の月"
            value={months.from}
            latest={latest}
            onChange={from => setMonths({ ...months, from })}
          />
          <span aria-hidden>比較先</span>
          <MonthPicker
            label="比較先の月"
            value={months.to}
            latest={latest}
            onChange={to => setMonths({ ...months, to })}
          />
        </div>
        {children(months)}
      </div>
    </FoldingCard>
  )
}
