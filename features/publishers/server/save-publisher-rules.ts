import { bothEarn, checkTermsAmount } from '@pc/domain/agreement/agreement-terms.ts'
import { checkRevenueShare, NO_SHARE, type RevenueShare } from '@pc/domain/agreement/revenue-share.ts'
import { valueAsOf, withVersion } from '@pc/domain/agreement/terms-history.ts'
import { retiredMedium } from '@pc/domain/medium/medium.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, dayAt, thisMonth, today } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { RuleInput } from './publisher-input.ts'
import { type RuleRow, type RuleTerms, ruleColumns, type TermsVersion, writeRuleTerms } from './publisher-rule-store.ts'
import {
  type RuleAgreement,
  type RuleSubmission,
  type RuleSurroundings,
  readRuleSurroundings,
  ruleKey,
} from './rule-surroundings.ts'

type Refusals = Refusal<RefusalCode>[]
type Path = readonly (string | number)[]

const RESOURCE = 'insight:agreement_publisher_rule.'
const NOTHING: RuleTerms = { fixedRevenueYen: 0n, minimumRevenueYen: 0n, ...NO_SHARE }

/**
 * Adds or changes rules of a publisher, each from a month on. Rules that are not named stay unchanged.
 * @returns whether anything changed
 */
export async function savePublisherRules(
  write: Write,
  clock: Clock,
  publisherId: bigint,
  inputs: readonly RuleInput[],
): Promise<Result<boolean, Refusal<RefusalCode>>> {
  const refusals: Refusals = []
  let isChanged = false
  // In order of agreements, so that two concurrent edits cannot deadlock.
  const ordered = inputs.map((input, index) => ({ input, index })).toSorted((a, b) => compare(a.input, b.input))
  for (const { input, index } of ordered) {
    const path = ['agreementPublisherRules', index]
    if (inputs.findIndex(other => other.agreementId === input.agreementId) !== index) {
      refusals.push(refusal('publisher/agreement-twice', [...path, 'agreementId']))
      continue
    }
    const saved = await saveRules(write, clock, [{ publisherId, input, path }])
    if (saved.ok) isChanged ||= saved.value > 0
    else refusals.push(...saved.refusals)
  }
  return refusals.length > 0 ? { ok: false, refusals } : ok(isChanged)
}

function compare(a: RuleInput, b: RuleInput): number {
  return a.agreementId < b.agreementId ? -1 : a.agreementId > b.agreementId ? 1 : 0
}

/**
 * As {@link savePublisherRules} for several publishers, each named once: all rules, or none when one is refused.
 * @returns the number of changed rules
 */
export async function saveRules(
  write: Write,
  clock: Clock,
  submissions: readonly RuleSubmission[],
): Promise<Result<number, Refusal<RefusalCode>>> {
  const { tx } = write
  const around = await readRuleSurroundings(tx, clock, submissions)
  const refusals: Refusals = []
  const added: NewRule[] = []
  const changed: ChangedRule[] = []
  for (const submission of submissions) {
    const place = placeOf(submission, around)
    if (!place.ok) {
      refusals.push(...place.refusals)
      continue
    }
    const rule = around.rules.get(ruleKey(submission.publisherId, place.value.agreement.id))
    const stale = rule && (await staleRule(tx, rule, submission))
    if (stale) refusals.push(stale)
    else if (rule) {
      const change = changeOf(rule, submission.input, place.value, around)
      refusals.push(...(change?.refusals ?? []))
      if (change) changed.push(change)
    } else {
      const terms = { ...NOTHING, ...submission.input.terms }
      // A new rule must state its rate: a missing one would silently pay 0 %.
      if (submission.input.terms.ownAdsRateUnits === undefined)
        refusals.push(refusal('agreement/rate-out-of-range', [...place.value.path, 'paymentRate', 'paymentRate']))
      refusals.push(
        ...checkTerms([], terms, place.value),
        ...refuseTwoEarners(place.value, around),
        ...retirementRefusals(place.value, around),
      )
      added.push({ ...place.value, terms })
    }
  }
  if (refusals.length > 0) return { ok: false, refusals }
  await addRules(write, added)
  await changeRules(write, changed)
  return ok(added.length + changed.length)
}

interface Place {
  readonly publisherId: bigint
  readonly month: YearMonth
  readonly path: Path
  readonly agreement: RuleAgreement
  readonly lastFinalized: YearMonth | null
}

function placeOf(
  { publisherId, input, path }: RuleSubmission,
  { clock, organizations, agreements, lastFinalized }: RuleSurroundings,
): Result<Place, Refusal<RefusalCode>> {
  const agreement = agreements.get(input.agreementId)
  const at = [...path, 'agreementId']
  if (!agreement) return refused(refusal('publisher/agreement-unknown', at))
  if (agreement.organizationId !== organizations.get(publisherId))
    return refused(refusal('publisher/agreement-of-other-organization', at))
  if (input.mediumId !== undefined && input.mediumId !== agreement.mediumId)
    return refused(refusal('publisher/rule-medium-differs', [...path, 'mediumId']))
  const month = input.validFromMonth ?? thisMonth(clock)
  return ok({ publisherId, month, path, agreement, lastFinalized: lastFinalized.get(agreement.mediumId) ?? null })
}

async function staleRule(tx: Transaction, rule: RuleRow, { input, path }: RuleSubmission) {
  const { id: rowId, revision } = rule
  const { expectedRevision } = input
  const stale = await editedByOther(tx, { resource: RESOURCE, rowId, revision, expectedRevision })
  return stale && refusal(stale.code, [...path, ...stale.path], stale.data)
}

interface NewRule extends Place {
  readonly terms: RuleTerms
}

async function addRules(write: Write, added: readonly NewRule[]): Promise<void> {
  if (added.length === 0) return
  const rows = await write.tx
    .insertInto('agreementPublisherRules')
    .values(
      added.map(({ agreement, publisherId, month, terms }) => ({
        agreementId: agreement.id,
        mediumId: agreement.mediumId,
        publisherId,
        validFromMonth: month,
        ...ruleColumns(terms),
      })),
    )
    .returning(['id', 'agreementId', 'publisherId'])
    .execute()
  const ids = new Map(rows.map(({ id, agreementId, publisherId }) => [ruleKey(publisherId, agreementId), id]))
  for (const { agreement, publisherId, month, terms } of added) {
    const after = { agreementId: agreement.id, publisherId, validFromMonth: month, ...terms, revision: 1 }
    const rowId = ids.get(ruleKey(publisherId, agreement.id)) ?? 0n
    write.record({ action: 'create', resource: RESOURCE, rowId, before: null, after })
  }
}

interface ChangedRule {
  readonly rule: RuleRow
  readonly first: TermsVersion
  readonly month: YearMonth
  readonly inForce: RuleTerms
  readonly terms: RuleTerms
  readonly refusals: Refusals
}

/** The change of a rule; undefined when its terms are the same already. */
function changeOf(rule: RuleRow, input: RuleInput, place: Place, around: RuleSurroundings): ChangedRule | undefined {
  const { month } = place
  const history = around.histories.get(rule.id) ?? []
  const [first] = history
  if (!first) throw new Error(`rule ${rule.id} has no version`)
  const inForce = valueAsOf(history, month) ?? first.value
  const terms = { ...inForce, ...input.terms }
  const isSame = (Object.keys(terms) as (keyof RuleTerms)[]).every(name => terms[name] === inForce[name])
  if (isSame) return undefined
  const isEarlier = month < first.validFromMonth
  const refusals = [...checkTerms(history, terms, place), ...(isEarlier ? refuseTwoEarners(place, around) : [])]
  return { rule, first, month, inForce, terms, refusals }
}

async function changeRules(write: Write, changed: readonly ChangedRule[]): Promise<void> {
  if (changed.length === 0) return
  await writeRuleTerms(
    write.tx,
    changed.map(({ rule, ...change }) => ({ ruleId: rule.id, ...change })),
  )
  const ids = changed.map(({ rule }) => rule.id)
  await write.tx
    .updateTable('agreementPublisherRules')
    .set(eb => ({ revision: eb('revision', '+', 1), updatedAt: sql<Date>`now()` }))
    .where('id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .execute()
  for (const { rule, month, inForce, terms } of changed) {
    const { id: rowId, revision } = rule
    const after = { ...terms, validFromMonth: month, revision: revision + 1 }
    write.record({ action: 'update', resource: RESOURCE, rowId, before: { ...inForce, revision }, after })
  }
}

function retirementRefusals({ agreement, month, path }: Place, { clock, media }: RuleSurroundings): Refusals {
  const medium = media.get(agreement.mediumId)
  const at = { medium: [...path, 'agreementId'], firstMonth: [...path, 'validFromMonth'] }
  return medium ? [...retiredMedium(medium, { today: today(clock), firstMonth: month }, at)] : []
}

/** Refuses a second agreement for a publisher and medium in the same month, because only one can earn the revenue. */
function refuseTwoEarners({ agreement, publisherId, month, path }: Place, { others }: RuleSurroundings): Refusals {
  const spanOf = (agreementFrom: number, ruleFrom: number, terminatedAt: Date | null) => ({
    ...{ agreementFrom, ruleFrom, terminatedOn: terminatedAt && dayAt(terminatedAt.getTime()) },
  })
  const own = spanOf(agreement.validFromMonth, month, agreement.terminatedAt)
  return (others.get(publisherId) ?? [])
    .filter(other => other.mediumId === agreement.mediumId && other.agreementId !== agreement.id)
    .filter(other => bothEarn(own, spanOf(other.agreementFrom, other.ruleFrom, other.terminatedAt)))
    .map(({ name }) => refusal('publisher/medium-twice', [...path, 'agreementId'], { agreement: name }))
}

function checkTerms(
  history: readonly TermsVersion[],
  terms: RuleTerms,
  { month, lastFinalized, path }: Place,
): Refusals {
  const refusals: Refusals = checkRevenueShare(terms).map(({ code, path: [, field] }) =>
    refusal(code, [...path, 'paymentRate', RATE_FIELDS[field as RateField]]),
  )
  for (const [field, value] of [
    ['fixedRevenue', terms.fixedRevenueYen],
    ['minimumRevenue', terms.minimumRevenueYen],
  ] as const) {
    refusals.push(...checkTermsAmount(value, [...path, field]))
  }
  const changed = withVersion<RuleTerms>(history, { validFromMonth: month, value: terms }, lastFinalized)
  if (!changed.ok) {
    refusals.push(...changed.refusals.map(one => refusal(one.code, [...path, 'validFromMonth'], one.data)))
  }
  return refusals
}

type RateField = Extract<keyof RevenueShare, `${string}RateUnits`>
/** What the input calls each rate. */
const RATE_FIELDS: Readonly<Record<RateField, string>> = {
  ownAdsRateUnits: 'paymentRate',
  sspRateUnits: 'sspPaymentRate',
  videoSspRateUnits: 'videoSspPaymentRate',
  liveSspRateUnits: 'liveSspPaymentRate',
}
