import { useQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import type { FieldChange } from '@pc/ui/form/form-frame.ts'
import { type ComparedMonths, MonthComparison } from '@pc/ui/history/month-comparison.tsx'
import { type EffectRequest, MonthTerms } from '@pc/ui/history/month-terms.tsx'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { AgreementMonthsDocument, type AgreementMonthsQuery } from './agreement-months.gen.ts'
import { accountName, FEE_PAYERS, labelIn, MINIMUM_REVENUE_TYPES, PAYMENT_TIMINGS } from './agreement-words.ts'

interface AgreementMonthsProps {
  agreement: { readonly id: string; readonly mediumId: string }
  today: Day
  withAccounts: boolean
  /** Whether the person may compute what-if scenarios. */
  mayCompute: boolean
}

type Month = NonNullable<AgreementMonthsQuery['from']>

/** Compares the terms and the account of an agreement in two months. */
export function AgreementMonths(props: AgreementMonthsProps) {
  return <MonthComparison today={props.today}>{months => <Differences {...props} months={months} />}</MonthComparison>
}

function Differences({
  agreement,
  today,
  withAccounts,
  mayCompute,
  months,
}: AgreementMonthsProps & { months: ComparedMonths }) {
  // Not cached: both months are fields of the same record, so the cache would keep only one of them.
  const { data, error, refetch } = useQuery(AgreementMonthsDocument, {
    variables: { id: agreement.id, ...months, withAccounts },
    fetchPolicy: 'no-cache',
  })
  if (error) return <FailedContent onRetry={() => void refetch()} />
  if (!data?.from || !data.to) return <Skeleton height={80} />
  const changeOf = (month: Month) => changeAsOf(month, agreement.id, data.platformTerms?.payoutThreshold)
  const [earlier, later] = [changeOf(data.from), changeOf(data.to)]
  const effect: EffectRequest | undefined =
    mayCompute && earlier && later && JSON.stringify(earlier) !== JSON.stringify(later)
      ? { agreementId: agreement.id, mediumId: agreement.mediumId, earlier, later }
      : undefined
  return (
    <MonthTerms
      name="契約"
      months={months}
      changes={changesBetween(data.from, data.to)}
      effect={effect}
      today={today}
    />
  )
}

const yen = (value: number | null) => (value === null ? NO_VALUE : `${formatInteger(value)}円`)
const label = (options: Parameters<typeof labelIn>[0], value: string | null) =>
  value === null ? NO_VALUE : labelIn(options, value)

const FIELDS: readonly { readonly name: string; readonly label: string; show(month: Month): string }[] = [
  { name: 'paymentTiming', label: '支払期日', show: month => label(PAYMENT_TIMINGS, month.paymentTiming ?? null) },
  { name: 'feePaidBy', label: '手数料負担', show: month => label(FEE_PAYERS, month.feePaidBy ?? null) },
  {
    name: 'minimumRevenueType',
    label: '最低保証',
    show: month => label(MINIMUM_REVENUE_TYPES, month.minimumRevenueType ?? null),
  },
  { name: 'minimumRevenue', label: '最低保証額（月額）', show: month => yen(month.minimumRevenue ?? null) },
  { name: 'fixedRevenue', label: '固定額（月額）', show: month => yen(month.fixedRevenue ?? null) },
  {
    name: 'payoutThreshold',
    label: '支払下限額',
    // Before the first terms there is no threshold either.
    show: month =>
      month.feePaidBy == null
        ? NO_VALUE
        : month.payoutThreshold == null
          ? '「支払の基準」に従う'
          : yen(month.payoutThreshold),
  },
  { name: 'account', label: '振込口座', show: accountOf },
]

function accountOf({ inUseAgreementBankAccount: used }: Month): string {
  if (used === undefined) return NO_VALUE
  if (used === null) return '未登録'
  return used.bankAccount ? accountName(used.bankAccount) : `口座 ${used.bankAccountId}`
}

function changesBetween(from: Month, to: Month): FieldChange[] {
  return FIELDS.flatMap(({ name, label, show }) => {
    const [before, after] = [show(from), show(to)]
    return before === after ? [] : [{ name, label, before, after }]
  })
}

/** The terms of a month as the what-if API takes them; undefined: the agreement had none yet. */
function changeAsOf(month: Month, agreementId: string, platformThreshold: number | undefined) {
  const { minimumRevenueType, fixedRevenue, minimumRevenue, payoutThreshold } = month
  if (minimumRevenueType == null) return undefined
  const threshold = payoutThreshold ?? platformThreshold
  const terms = { minimumRevenueType, fixedRevenue: fixedRevenue ?? 0, minimumRevenue: minimumRevenue ?? 0 }
  return {
    agreements: [{ agreementId, ...terms, ...(threshold === undefined ? {} : { payoutThreshold: threshold }) }],
  }
}
