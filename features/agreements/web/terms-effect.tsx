import { useLazyQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, formatYearMonth, monthOfDay } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { MonthInput } from '@pc/ui/form/month-input.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { EffectTable } from '@pc/ui/history/effect-table.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { IconCalculator } from '@tabler/icons-react'
import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { MONTH_CLOSE_PATH } from '../../payments/links.ts'
import styles from './agreement.module.css'
import type { AgreementEditQuery } from './agreement-edit.gen.ts'
import type { AgreementValues } from './agreement-values.ts'
import { TermsEffectDocument, type TermsEffectQuery } from './terms-effect.gen.ts'

type Agreement = NonNullable<AgreementEditQuery['agreement']>
type Effect = NonNullable<TermsEffectQuery['whatIfMonth']>

/** Months that can be chosen: the current one and those before it. */
const MONTHS = 4

interface TermsEffectProps {
  control: Control<AgreementValues>
  agreement: Agreement
  today: Day
}

/**
 * Compares a month computed with the terms in the form to the same month with the stored terms. Nothing is written.
 * Fields that change no amount are not sent.
 */
export function TermsEffect({ control, agreement, today }: TermsEffectProps) {
  const latest = monthOfDay(today)
  const [month, setMonth] = useState<string>(() => formatYearMonth(addMonths(latest, -1)))
  const change = useChange(control, agreement)
  const [compute, { data, error, loading, variables }] = useLazyQuery(TermsEffectDocument, { fetchPolicy: 'no-cache' })
  const request = { month, mediumId: agreement.mediumId, change: { agreements: [change] } }
  // A result for other terms or another month is not shown.
  const isCurrent = variables !== undefined && JSON.stringify(variables) === JSON.stringify(request)
  return (
    <section className={styles.effect} aria-label="条件の影響">
      <div className={styles.effectTools}>
        <MonthInput
          label="試算する月"
          earliest={addMonths(latest, 1 - MONTHS)}
          latest={latest}
          value={month}
          onChange={setMonth}
        />
        <Button
          disabled={loading || month === ''}
          icon={<IconCalculator size={16} aria-hidden />}
          onClick={() => void compute({ variables: request })}
        >
          {loading ? '計算しています…' : '条件の影響を試算'}
        </Button>
      </div>
      {isCurrent && !loading && error && (
        <p className={styles.problem} role="alert">
          {refusalsOf(error)[0]?.message ?? '試算できませんでした。もう一度お試しください。'}
        </p>
      )}
      {isCurrent && !loading && data?.whatIfMonth && (
        <EffectAndChecks effect={data.whatIfMonth} agreementId={agreement.id} />
      )}
      <small className={styles.none}>
        {'入力中の条件で計算するだけで、保存されません。支払期日と振込手数料の負担は、金額に影響しないため含みません。'}
        {'確定済みの月の金額を直すときは、'}
        <a href={addressOf(MONTH_CLOSE_PATH)}>分配金調整</a>
        {'で、未確定の月の調整として登録してください。'}
      </small>
    </section>
  )
}

/** The terms in the form as the what-if API takes them. */
function useChange(control: Control<AgreementValues>, { id }: Agreement) {
  const [minimumRevenueType, fixedRevenue, minimumRevenue, payoutThreshold] = useWatch({
    control,
    name: ['minimumRevenueType', 'fixedRevenue', 'minimumRevenue', 'payoutThreshold'],
  })
  return {
    agreementId: id,
    minimumRevenueType,
    fixedRevenue: fixedRevenue ?? 0,
    minimumRevenue: minimumRevenue ?? 0,
    ...(payoutThreshold === null ? {} : { payoutThreshold }),
  }
}

function EffectAndChecks({ effect, agreementId }: { effect: Effect; agreementId: string }) {
  const payee = effect.payees.find(each => each.agreementId === agreementId)
  return (
    <>
      <EffectTable
        caption="条件の影響"
        before={{ label: '現在の条件', amounts: payee?.before }}
        after={{ label: '入力中の条件', amounts: payee?.after }}
      />
      {payee &&
        effect.checks.map(check => (
          <p key={`${check.label}${check.detail}`} className={styles.clean}>
            <Badge tone={check.state === 'red' ? 'bad' : 'warn'}>{check.label}</Badge> {check.detail}
          </p>
        ))}
    </>
  )
}
