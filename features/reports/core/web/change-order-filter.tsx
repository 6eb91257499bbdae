import { ORDER_BASES, type OrderBasis } from '@pc/domain/report/order-basis.ts'
import { isMinChangeSet, ORDER_BASIS_LABELS } from '@pc/domain/report/order-by-change.ts'
import { SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { sortOfOrder } from '@pc/ui/list/list-order.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import type { ColumnUnit, ReportColumn } from '../../report-columns.ts'

interface ChangeOrder {
  readonly orderOf: OrderBasis
  readonly minChange: string
}

interface ChangeOrderFilterProps {
  value: ChangeOrder
  onChange: (change: Partial<ChangeOrder>) => void
  /** The order of the list; the change is that of its figure. */
  order: string
  columns: readonly ReportColumn[]
}

const BASES = ORDER_BASES.map(value => ({ value, label: ORDER_BASIS_LABELS[value] }))

/** Chooses whether a list is ordered by its figure or by its change, and the minimum change. */
export function ChangeOrderFilter({ value, onChange, order, columns }: ChangeOrderFilterProps) {
  const { orderOf } = value
  // A minimum in the address that is not a number is ignored.
  const minChange = isMinChangeSet(value) ? value.minChange : ''
  const unit = columns.find(({ id }) => id === sortOfOrder(order).columnId)?.unit ?? 'count'
  return (
    <>
      <SelectFilter
        label="並べ替えの基準"
        options={BASES}
        value={orderOf}
        // Resets the minimum, because its unit changes.
        onChange={next => onChange({ orderOf: next, minChange: '' })}
      />
      {orderOf !== 'value' && (
        <SelectFilter
          label={`${ORDER_BASIS_LABELS[orderOf]}の大きさ`}
          options={[
            { value: '', label: 'すべて' },
            ...choices(orderOf, unit, minChange).map(each => ({ value: each, label: choiceText(orderOf, unit, each) })),
          ]}
          value={minChange}
          onChange={next => onChange({ minChange: next })}
        />
      )}
    </>
  )
}

const PERCENTS = ['5', '10', '20', '50', '100']
const CHOICES: Readonly<Record<ColumnUnit, readonly string[]>> = {
  ...{ count: ['100', '1000', '10000', '100000', '1000000'], yen: ['1000', '10000', '100000', '1000000'] },
  ...{ people: ['10', '100', '1000'], 'yen-tenths': ['1', '10', '50', '100'], percent: ['0.1', '0.5', '1', '5'] },
  ...{ seconds: ['10', '60', '600', '3600'], text: [] },
}

/** The usual choices, and the value of the address when it is none of them. */
function choices(basis: OrderBasis, unit: ColumnUnit, chosen: string): readonly string[] {
  const usual = basis === 'percent' ? PERCENTS : CHOICES[unit]
  const all = chosen === '' ? usual : [...new Set([...usual, chosen])]
  return all.toSorted((a, b) => Number(a) - Number(b))
}

const SUFFIXES: Readonly<Record<ColumnUnit, string>> = {
  ...{ count: '回', yen: '円', people: '人', 'yen-tenths': '円', percent: 'ポイント', seconds: '秒', text: '' },
}

/** 1,000円以上 · 0.5ポイント以上 · 20%以上 */
function choiceText(basis: OrderBasis, unit: ColumnUnit, value: string): string {
  const [whole = '', decimals] = value.split('.')
  const number = `${formatInteger(Number(whole))}${decimals ? `.${decimals}` : ''}`
  return `${number}${basis === 'percent' ? '%' : SUFFIXES[unit]}以上`
}
