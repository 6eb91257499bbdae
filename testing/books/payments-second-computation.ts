import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'

/**
 * A second implementation of the settlement rules `returns_per_rate` for carrying over, paying and taxing, written from
 * their text. It applies to every payment and shares nothing with the engine but its input and the amounts that each
 * rule earned (steps 2 to 7). Amounts are in hundredths of a yen.
 */

export interface SecondPayment {
  readonly decision: string
  readonly payment: bigint
  readonly tax: bigint
  readonly lines: readonly string[]
  readonly months: readonly string[]
  readonly publishers: readonly string[]
}

type Ledger = { month: number; yen: bigint }[]

const abs = (n: bigint) => (n < 0n ? -n : n)
/** Hundredths of a yen to yen, rounded towards zero. */
const cut = (hundredths: bigint) => (hundredths - (hundredths % 100n)) / 100n
const total = (list: readonly bigint[]) => list.reduce((sum, each) => sum + each, 0n)

function post(ledger: Ledger, month: number, yen: bigint): void {
  const found = ledger.find(each => each.month === month)
  if (found) found.yen += yen
  else ledger.push({ month, yen })
}

function balance(ledger: Ledger): bigint {
  return total(ledger.map(each => each.yen))
}

function since(table: readonly { readonly validFromMonth: number }[], month: number): number {
  let index = -1
  table.forEach((line, at) => {
    if (line.validFromMonth > month) return
    if (index < 0 || table[index]!.validFromMonth < line.validFromMonth) index = at
  })
  return index
}

/** Step 8 for one rule. */
function ledgerOf(input: MonthInput, agreementId: bigint, publisherId: bigint, earned: bigint): Ledger {
  const rule = input.agreements
    .find(each => each.agreementId === agreementId)!
    .rules.find(each => each.publisherId === publisherId)!
  const ledger: Ledger = []
  for (const { generatedMonth, amountYen } of rule.carried) post(ledger, generatedMonth, amountYen)
  post(ledger, input.month, earned)
  const rows = input.adjustments.filter(row => row.agreementId === agreementId && row.publisherId === publisherId)
  for (const row of rows) {
    if (row.method === 'payment') post(ledger, row.originMonth ?? input.month, row.amountYen)
  }
  const discards = rows.filter(row => row.method === 'discard')
  discards.sort((a, b) => Number(a.jobId - b.jobId) || a.line - b.line)
  for (const row of discards) {
    const there = balance(ledger)
    if (there <= 0n) continue
    let open = row.amountYen < there ? row.amountYen : there
    if (row.originMonth !== null) {
      post(ledger, row.originMonth, -open)
      continue
    }
    for (const place of ledger.toSorted((a, b) => a.month - b.month)) {
      if (place.yen <= 0n) continue
      const piece = place.yen < open ? place.yen : open
      post(ledger, place.month, -piece)
      open -= piece
    }
  }
  return ledger.filter(each => each.yen !== 0n).toSorted((a, b) => a.month - b.month)
}

/** Step 13 for the months of one rate: the tax of each month. Remaining yen are distributed one by one. */
function monthTaxes(months: Ledger, percent: bigint, tax: bigint): bigint[] {
  const quotas = months.map(each => each.yen * percent)
  const taxes = quotas.map(cut)
  for (let left = tax - total(taxes); left !== 0n; left += left > 0n ? -1n : 1n) {
    let best = -1
    months.forEach((each, at) => {
      const rest = quotas[at]! - taxes[at]! * 100n
      const isCandidate = left > 0n ? rest > 0n : rest < 0n
      if (!isCandidate || taxes[at] !== cut(quotas[at]!)) return
      if (best < 0) best = at
      const bestRest = quotas[best]! - taxes[best]! * 100n
      const [a, b] = [abs(rest), abs(bestRest)]
      if (a > b || (a === b && abs(each.yen) > abs(months[best]!.yen))) best = at
    })
    taxes[best]! += left > 0n ? 1n : -1n
  }
  return taxes
}

/** Largest remainder method; equal weights when all are 0. */
function largestRemainder(yen: bigint, weights: readonly bigint[]): bigint[] {
  const used = weights.some(weight => weight > 0n) ? weights : weights.map(() => 1n)
  const all = total(used)
  const parts = used.map(weight => (yen * weight) / all)
  const order = used.map((_, at) => at)
  order.sort((a, b) => {
    const [restA, restB] = [(yen * used[a]!) % all, (yen * used[b]!) % all]
    if (restA !== restB) return restA > restB ? -1 : 1
    return used[a] === used[b] ? a - b : used[a]! > used[b]! ? -1 : 1
  })
  for (let at = 0; total(parts) < yen; at += 1) parts[order[at]!]! += 1n
  return parts
}

/** @param earned amounts of step 7 by publisher, in the order of their ids */
export function secondPayment(
  input: MonthInput,
  agreementId: bigint,
  earned: readonly (readonly [publisherId: bigint, yen: bigint])[],
  facts: { readonly hasAccount: boolean; readonly isTerminated: boolean; readonly thresholdYen: bigint },
): SecondPayment {
  const agreement = input.agreements.find(each => each.agreementId === agreementId)!
  const ledgers = earned.map(([publisherId, yen]) => ledgerOf(input, agreementId, publisherId, yen))
  const balances = ledgers.map(balance)
  const cumulative = total(balances)
  const whole: Ledger = []
  for (const { month, yen } of ledgers.flat()) post(whole, month, yen)
  const open = whole.filter(each => each.yen !== 0n).toSorted((a, b) => a.month - b.month)

  const percentOf = (month: number) => input.taxTable[since(input.taxTable, month)]!.ratePercent
  const percents = [...new Set(open.map(each => percentOf(each.month)))].toSorted((a, b) => b - a)
  const groups = percents.map(percent => {
    const months = open.filter(each => percentOf(each.month) === percent)
    const net = balance(months)
    const tax = cut(net * BigInt(percent))
    return { percent, months, net, tax, taxes: monthTaxes(months, BigInt(percent), tax) }
  })
  const tax = total(groups.map(group => group.tax))

  let decision = 'scheduled'
  if (cumulative <= 0n) decision = 'NON_POSITIVE_BALANCE'
  else if (agreement.isPaymentDisabled) decision = 'PAYMENT_DISABLED'
  else if (!facts.hasAccount) decision = 'NO_BANK_ACCOUNT'
  else if (!facts.isTerminated && cumulative < facts.thresholdYen) decision = 'BELOW_THRESHOLD'
  else if (cumulative + tax <= 0n) decision = 'NON_POSITIVE_TOTAL'
  const isPaid = decision === 'scheduled'

  const months = groups.flatMap(group =>
    group.months.map((each, at) => {
      const isQualified = agreement.qualifiedMonths.some(month => month === each.month)
      const line = input.deductionTable[since(input.deductionTable, each.month)]
      const deducts = isQualified ? 100 : line!.deductiblePercent
      const own = group.taxes[at]!
      return {
        month: each.month,
        text: `${each.month} ${each.yen} ${group.percent}% ${own} ${cut(own * BigInt(deducts))}`,
      }
    }),
  )
  const shares = largestRemainder(
    abs(tax),
    balances.map(each => (each > 0n ? each : 0n)),
  )
  return {
    decision,
    payment: isPaid ? cumulative : 0n,
    tax: isPaid ? tax : 0n,
    lines: isPaid ? groups.filter(each => each.net !== 0n).map(each => `${each.percent}% ${each.net} ${each.tax}`) : [],
    months: isPaid ? months.toSorted((a, b) => a.month - b.month).map(each => each.text) : [],
    publishers: ledgers.map((ledger, at) => {
      const reference = isPaid ? (tax < 0n ? -shares[at]! : shares[at]!) : 0n
      const next = isPaid ? '' : ledger.map(each => `${each.month}:${each.yen}`).join(' ')
      return `${isPaid ? balances[at] : 0n} ${reference} [${next}]`
    }),
  }
}
