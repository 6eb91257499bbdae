import { useLazyQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, formatYearMonth, monthOfDay } from '@pc/domain/month/year-month.ts'
import { Button } from '../elements/button.tsx'
import { ChangeTable } from '../form/change-table.tsx'
import type { FieldChange } from '../form/form-frame.ts'
import { refusalsOf } from '../form/refused-fields.ts'
import { EffectTable } from './effect-table.tsx'
import styles from './month-comparison.module.css'
import type { ComparedMonths } from './month-comparison.tsx'
import { MonthTermsEffectDocument, type MonthTermsEffectQuery, type WhatIfInput } from './month-terms.gen.ts'

interface MonthTermsProps {
  /** Name of the record, for captions. */
  name: string
  months: ComparedMonths
  changes: readonly FieldChange[]
  /** The terms of both months as input of the payment preview; undefined: no amounts can be computed. */
  effect?: EffectRequest | undefined
  today: Day
}

export interface EffectRequest {
  readonly agreementId: string
  readonly mediumId: string
  readonly earlier: WhatIfInput
  readonly later: WhatIfInput
}

/** The differences between the terms of two months, and their effect in yen. */
export function MonthTerms({ name, months, changes, effect, today }: MonthTermsProps) {
  if (changes.length === 0) return <p className={styles.same}>2つの月で条件は同じです。</p>
  return (
    <>
      <ChangeTable
        caption={`${name}の条件の違い`}
        changes={changes}
        before={monthText(months.from)}
        after={monthText(months.to)}
      />
      {effect && <MonthTermsEffect name={name} months={months} effect={effect} today={today} />}
    </>
  )
}

/**
 * Computes one month under either terms: the month from which the later terms apply, or the last completed month.
 * Nothing is saved.
 */
function MonthTermsEffect(props: { name: string; months: ComparedMonths; effect: EffectRequest; today: Day }) {
  const { name, months, effect, today } = props
  const lastMonth = addMonths(monthOfDay(today), -1)
  const month = months.to < lastMonth ? months.to : lastMonth
  const [compute, { data, error, loading, variables }] = useLazyQuery(MonthTermsEffectDocument, {
    fetchPolicy: 'no-cache',
  })
  const { mediumId, earlier, later } = effect
  const request = { month: formatYearMonth(month), mediumId, earlier, later }
  const isCurrent = !loading && variables !== undefined && JSON.stringify(variables) === JSON.stringify(request)
  return (
    <div className={styles.effect}>
      <Button disabled={loading} onClick={() => void compute({ variables: request })}>
        {loading ? '計算しています…' : `${monthText(month)}の金額への影響を試算`}
      </Button>
      {isCurrent && error && (
        <p className={styles.problem} role="alert">
          {refusalsOf(error)[0]?.message ?? '試算できませんでした。もう一度お試しください。'}
        </p>
      )}
      {isCurrent && data && (
        <EffectTable
          caption={`${name}の金額への影響（${monthText(month)}）`}
          before={{ label: `${monthText(months.from)}の条件`, amounts: amountsOf(data, 'earlier', effect) }}
          after={{ label: `${monthText(months.to)}の条件`, amounts: amountsOf(data, 'later', effect) }}
        />
      )}
    </div>
  )
}

/**
 * A payee whose amounts do not change is missing from an answer. Its amounts are then the baseline of the other answer.
 */
function amountsOf(data: MonthTermsEffectQuery, name: 'earlier' | 'later', { agreementId }: EffectRequest) {
  const payeeIn = (which: 'earlier' | 'later') => data[which]?.payees.find(payee => payee.agreementId === agreementId)
  const own = payeeIn(name)
  return own ? own.after : payeeIn(name === 'earlier' ? 'later' : 'earlier')?.before
}
