import { checkRevenueShare, NO_SHARE } from '@pc/domain/agreement/revenue-share.ts'
import { valueAsOf, withVersion } from '@pc/domain/agreement/terms-history.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, thisMonth } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { lastFinalizedMonth } from '@pc/platform/postgres/month-lock.ts'
import type { RuleInput } from './publisher-input.ts'
import {
  type RuleRow,
  type RuleTerms,
  type RuleVersion,
  readRuleHistories,
  readRulesOfPublishers,
  ruleColumns,
  writeRuleTerms,
} from './publisher-rule-store.ts'

type Refusals = Refusal<RefusalCode>[]
type Path = readonly (string | number)[]

const RESOURCE = 'insight:agreement_publisher_rule.'
const NOTHING: RuleTerms = { fixedRevenueYen: 0n, minimumRevenueYen: 0n, ...NO_SHARE }

interface Place {
  readonly publisherId: bigint
  readonly month: YearMonth
  readonly path: Path
  readonly agreement: { readonly id: bigint; readonly mediumId: bigint }
  readonly lastFinalized: YearMonth | null
}

/**
 * Adds rules to a publisher or changes them, each from a month on. A rule that is not named stays as it is. Answers
 * whether anything differs.
 */
export async function savePublisherRules(
  write: Write,
  clock: Clock,
  publisherId: bigint,
  inputs: readonly RuleInput[],
): Promise<Result<boolean, Refusal<RefusalCode>>> {
  const { tx } = write
  const refusals: Refusals = []
  let isChanged = false
  const current = (await readRulesOfPublishers(tx, [publisherId])).get(publisherId) ?? []
  // In the order of their agreements, so that two editors never wait for each other's locks.
  const ordered = inputs.map((input, index) => ({ input, index })).toSorted((a, b) => compare(a.input, b.input))
  for (const { input, index } of ordered) {
    const path = ['agreementPublisherRules', index]
    if (inputs.findIndex(other => other.agreementId === input.agreementId) !== index) {
      refusals.push(refusal('publisher/agreement-twice', [...path, 'agreementId']))
      continue
    }
    const agreement = await tx
      .selectFrom('agreements')
      .select(['id', 'mediumId'])
      .where('id', '=', input.agreementId)
      .executeTakeFirst()
    if (!agreement) {
      refusals.push(refusal('publisher/agreement-unknown', [...path, 'agreementId']))
      continue
    }
    if (input.mediumId !== undefined && input.mediumId !== agreement.mediumId)
      refusals.push(refusal('publisher/rule-medium-differs', [...path, 'mediumId']))
    const lastFinalized = await lastFinalizedMonth(tx, agreement.mediumId)
    const month = input.validFromMonth ?? thisMonth(clock)
    const place = { publisherId, month, path, agreement, lastFinalized }
    const rule = current.find(one => one.agreementId === agreement.id)
    const saved = rule ? await changeRule(write, rule, input, place) : await addRule(write, input, place)
    if (saved.ok) isChanged ||= saved.value
    else refusals.push(...saved.refusals)
  }
  return refusals.length > 0 ? { ok: false, refusals } : ok(isChanged)
}

function compare(a: RuleInput, b: RuleInput): number {
  return a.agreementId < b.agreementId ? -1 : a.agreementId > b.agreementId ? 1 : 0
}

async function addRule(write: Write, input: RuleInput, place: Place): Promise<Result<boolean, Refusal<RefusalCode>>> {
  const terms = { ...NOTHING, ...input.terms }
  const refusals = checkTerms([], terms, place)
  if (refusals.length > 0) return { ok: false, refusals }
  const { agreement, publisherId, month } = place
  const { id } = await write.tx
    .insertInto('agreementPublisherRules')
    .values({
      agreementId: agreement.id,
      publisherId,
      mediumId: agreement.mediumId,
      validFromMonth: month,
      ...ruleColumns(terms),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const after = { agreementId: agreement.id, publisherId, validFromMonth: month, ...terms, revision: 1 }
  write.record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after })
  return ok(true)
}

async function changeRule(
  write: Write,
  rule: RuleRow,
  input: RuleInput,
  place: Place,
): Promise<Result<boolean, Refusal<RefusalCode>>> {
  const { tx } = write
  const { month } = place
  const { revision } = await tx
    .selectFrom('agreementPublisherRules')
    .select('revision')
    .where('id', '=', rule.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const stale = await editedByOther(tx, {
    resource: RESOURCE,
    rowId: rule.id,
    revision,
    expectedRevision: input.expectedRevision,
  })
  if (stale) {
    const path = [...place.path, ...stale.path]
    return { ok: false, refusals: [refusal(stale.code, path, stale.data)] }
  }
  const history = (await readRuleHistories(tx, [rule.id])).get(rule.id) ?? []
  const [first] = history
  if (!first) throw new Error(`rule ${rule.id} has no version`)
  const inForce = valueAsOf(history, month) ?? first.value
  const terms = { ...inForce, ...input.terms }
  const isSame = (Object.keys(terms) as (keyof RuleTerms)[]).every(name => terms[name] === inForce[name])
  if (isSame) return ok(false)
  const refusals = checkTerms(history, terms, place)
  if (refusals.length > 0) return { ok: false, refusals }
  await writeRuleTerms(tx, rule.id, first, month, terms)
  await tx
    .updateTable('agreementPublisherRules')
    .set({ revision: revision + 1, updatedAt: new Date() })
    .where('id', '=', rule.id)
    .execute()
  write.record({
    action: 'update',
    resource: RESOURCE,
    rowId: rule.id,
    before: { ...inForce, revision },
    after: { ...terms, validFromMonth: month, revision: revision + 1 },
  })
  return ok(true)
}

function checkTerms(
  history: readonly RuleVersion[],
  terms: RuleTerms,
  { month, lastFinalized, path }: Place,
): Refusals {
  const refusals: Refusals = checkRevenueShare(terms).map(({ code, path: [, field] }) =>
    refusal(code, [...path, 'paymentRate', RATE_FIELDS[String(field)] ?? String(field)]),
  )
  for (const [field, value] of [
    ['fixedRevenue', terms.fixedRevenueYen],
    ['minimumRevenue', terms.minimumRevenueYen],
  ] as const) {
    if (value < 0n) refusals.push(refusal('agreement/amount-negative', [...path, field]))
  }
  const changed = withVersion<RuleTerms>(history, { validFromMonth: month, value: terms }, lastFinalized)
  if (!changed.ok) {
    refusals.push(...changed.refusals.map(one => refusal(one.code, [...path, 'validFromMonth'], one.data)))
  }
  return refusals
}

const RATE_FIELDS: Readonly<Record<string, string>> = {
  ownAdsRateUnits: 'paymentRate',
  sspRateUnits: 'sspPaymentRate',
  videoSspRateUnits: 'videoSspPaymentRate',
  liveSspRateUnits: 'liveSspPaymentRate',
}
