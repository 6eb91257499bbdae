import { useQuery } from '@apollo/client/react'
import { rateText } from '@pc/domain/money/rate.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { FieldChange } from '@pc/ui/form/form-frame.ts'
import { type ComparedMonths, MonthComparison } from '@pc/ui/history/month-comparison.tsx'
import { type EffectRequest, MonthTerms } from '@pc/ui/history/month-terms.tsx'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { PublisherMonthsDocument, type PublisherMonthsQuery } from './publisher-months.gen.ts'
import { RATES } from './publisher-values.ts'

interface PublisherMonthsProps {
  id: string
  today: Day
  withInHouse: boolean
  /** Whether the person may compute scenarios of months. */
  mayCompute: boolean
}

type Rule = NonNullable<NonNullable<PublisherMonthsQuery['from']>['agreementPublisherRules']>[number]

/** Compares the terms of two months, per agreement. */
export function PublisherMonths(props: PublisherMonthsProps) {
  return <MonthComparison today={props.today}>{months => <Differences {...props} months={months} />}</MonthComparison>
}

function Differences({
  id,
  today,
  withInHouse,
  mayCompute,
  months,
}: PublisherMonthsProps & { months: ComparedMonths }) {
  // Not cached: both months are the same record, so the cache would merge them.
  const { data, error, refetch } = useQuery(PublisherMonthsDocument, {
    variables: { id, ...months, withInHouse },
    fetchPolicy: 'no-cache',
  })
  if (error) return <FailedContent onRetry={() => void refetch()} />
  if (!data?.from || !data.to) return <Skeleton height={80} />
  const before = new Map(data.from.agreementPublisherRules?.map(rule => [rule.id, rule]))
  const pairs = (data.to.agreementPublisherRules ?? []).flatMap(to => {
    const from = before.get(to.id)
    return from ? [{ from, to, changes: changesBetween(from, to) }] : []
  })
  if (pairs.every(({ changes }) => changes.length === 0))
    return <MonthTerms name="" months={months} changes={[]} today={today} />
  return pairs
    .filter(({ changes }) => changes.length > 0)
    .map(({ from, to, changes }) => {
      const name = to.agreement?.name ?? `契約 ${to.agreementId}`
      return (
        <section key={to.id} aria-label={name}>
          <h3>{name}</h3>
          <MonthTerms
            name={name}
            months={months}
            changes={changes}
            effect={mayCompute ? effectOf(from, to) : undefined}
            today={today}
          />
        </section>
      )
    })
}

type Rates = NonNullable<Rule['paymentRate']>

function changesBetween(from: Rule, to: Rule): FieldChange[] {
  const rate = (name: keyof Rates) => (rule: Rule) =>
    rule.paymentRate ? rateText(Number(rule.paymentRate[name])) : NO_VALUE
  const target = (name: keyof Rates) => (rule: Rule) =>
    rule.paymentRate ? (rule.paymentRate[name] ? '対象' : '対象外') : NO_VALUE
  const yen = (value: number | null | undefined) => (value == null ? NO_VALUE : `${formatInteger(value)}円`)
  const fields = [
    ...RATES.flatMap(({ rate: name, label, target: targetName }) => [
      { name: name as string, label: `${label}の支払率`, show: rate(name) },
      ...(targetName ? [{ name: targetName as string, label: `${label}の配分`, show: target(targetName) }] : []),
    ]),
    { name: 'fixedRevenue', label: '固定額（月額）', show: (rule: Rule) => yen(rule.fixedRevenue) },
    { name: 'minimumRevenue', label: '最低保証額（月額）', show: (rule: Rule) => yen(rule.minimumRevenue) },
  ]
  return fields.flatMap(({ name, label, show }) => {
    const [was, is] = [show(from), show(to)]
    return was === is ? [] : [{ name, label, before: was, after: is }]
  })
}

/** The request to compute the effect of the change; undefined when either month has no terms. */
function effectOf(from: Rule, to: Rule): EffectRequest | undefined {
  const [earlier, later] = [changeAsOf(from), changeAsOf(to)]
  return earlier && later ? { agreementId: to.agreementId, mediumId: to.mediumId, earlier, later } : undefined
}

function changeAsOf({ agreementId, publisherId, paymentRate, fixedRevenue, minimumRevenue }: Rule) {
  if (!paymentRate) return undefined
  const { __typename: _type, ...rates } = paymentRate as Rates & { __typename?: string }
  return {
    rates: [
      { agreementId, publisherId, ...rates, fixedRevenue: fixedRevenue ?? 0, minimumRevenue: minimumRevenue ?? 0 },
    ],
  }
}
