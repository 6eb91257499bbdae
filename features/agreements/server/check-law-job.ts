import type { Role } from '@pc/domain/access/role.ts'
import { lawFindings } from '@pc/domain/agreement/law-guard.ts'
import type { AgreementFacts } from '@pc/domain/agreement/law-rule.ts'
import { isProtectedOn, monthsShiftedTooFar, type ShiftedMonth } from '@pc/domain/agreement/payment-law.ts'
import { valueAsOf } from '@pc/domain/agreement/terms-history.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import type { HolidayCalendar } from '@pc/domain/month/holiday-calendar.ts'
import { formatYearMonth, monthOfDay } from '@pc/domain/month/year-month.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { writeLetter } from '@pc/platform/mail/write-letter.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { factsOf } from './agreement-facts.ts'
import { readTermsHistories } from './agreement-terms-store.ts'
import { readPlatformTerms } from './platform-terms.ts'

/** One breach of one agreement. */
export interface LawBreach {
  readonly agreementId: bigint
  /** Unique within the agreement. Each breach is reported once. */
  readonly id: string
  /** Japanese: what is wrong, the same for every agreement that has it. */
  readonly text: string
}

export interface LawCheckParts {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  readonly webOrigin: string
  readonly readHolidayCalendar: (tx: Transaction) => Promise<HolidayCalendar>
  /** Revenue that is or would be paid too late. */
  readonly readLateRevenue: (tx: Transaction, today: Day) => Promise<readonly LawBreach[]>
}

const CHECK_LAW_JOB = defineJob('check-law', { cron: '20 6 * * *' })
/** Who keeps agreements and pays. */
const TOLD: readonly Role[] = ['insight:admin', 'insight:editor']
/** In one letter: breaches, and agreements named for each of them. */
const MOST_NAMED = 50

export function checkLawHandler(parts: LawCheckParts): JobHandler {
  return handleJob(CHECK_LAW_JOB, async () => {
    await checkLaw(parts)
  })
}

/**
 * Checks every agreement that has not ended against today's rules, whenever it was saved, and its unpaid revenue against the
 * last legal days. Each new breach is mailed once, and again when it comes back after a cure. @returns how many are new
 */
export async function checkLaw(parts: LawCheckParts): Promise<number> {
  const { database, clock } = parts
  return database.inScope(SYSTEM, async tx => {
    const day = today(clock)
    const found = [...(await breachesOfTerms(parts, tx, day)), ...(await parts.readLateRevenue(tx, day))]
    const fresh = await noteBreaches(tx, found, new Date(clock.now()))
    if (fresh.length > 0) await tell(parts, tx, fresh)
    return fresh.length
  })
}

async function breachesOfTerms(parts: LawCheckParts, tx: Transaction, day: Day): Promise<LawBreach[]> {
  const month = monthOfDay(day)
  const platform = await readPlatformTerms(tx, month)
  const [tooFar] = monthsShiftedTooFar(month, platform.businessDayShift, await parts.readHolidayCalendar(tx))
  const breaches: LawBreach[] = []
  for (let rows = await portionAfter(tx, 0n); rows.length > 0; rows = await portionAfter(tx, rows.at(-1)!.id)) {
    const current = rows.filter(
      ({ terminatedAt }) => terminatedAt === null || terminatedAt.getTime() > parts.clock.now(),
    )
    const histories = await readTermsHistories(
      tx,
      current.map(row => row.id),
    )
    for (const row of current) {
      const history = histories.get(row.id) ?? []
      const terms = valueAsOf(history, month) ?? history[0]?.value
      if (terms) breaches.push(...breachesOf(row.id, factsOf(row, terms, platform), day, tooFar))
    }
  }
  return breaches
}

/** Agreements per statement: a statement has at most 65,535 parameters. */
const PORTION = 5_000

function portionAfter(tx: Transaction, id: bigint) {
  return tx.selectFrom('agreements').selectAll().where('id', '>', id).orderBy('id').limit(PORTION).execute()
}

function breachesOf(
  agreementId: bigint,
  facts: AgreementFacts,
  day: Day,
  tooFar: ShiftedMonth | undefined,
): LawBreach[] {
  const breaches = lawFindings(facts, day).flatMap(({ ruleId, severity, text }) =>
    severity === 'error' ? [{ agreementId, id: ruleId, text }] : [],
  )
  if (tooFar && facts.paymentTiming === 'a_month_later' && isProtectedOn(facts, tooFar.dueOn)) {
    const month = formatYearMonth(tooFar.month)
    const text = `${month}分の支払期日（${dayText(tooFar.dueOn)}）は、銀行休業日の順延により法定の期限から2日を超えます。支払設定を前営業日の支払に変更してください。`
    breaches.push({ agreementId, id: `shift/${month}`, text })
  }
  return breaches
}

/** Stores new breaches and removes cured ones; returns the new ones. Of two checks at once only one returns a breach. */
async function noteBreaches(tx: Transaction, found: readonly LawBreach[], noticedAt: Date): Promise<LawBreach[]> {
  const keyOf = ({ agreementId, id }: Pick<LawBreach, 'agreementId' | 'id'>) => `${agreementId}/${id}`
  const current = new Set(found.map(keyOf))
  const known = await tx.selectFrom('agreementLawNotices').select(['agreementId', 'ruleId as id']).forUpdate().execute()
  for (const cured of known.filter(notice => !current.has(keyOf(notice)))) {
    await tx
      .deleteFrom('agreementLawNotices')
      .where('agreementId', '=', cured.agreementId)
      .where('ruleId', '=', cured.id)
      .execute()
  }
  const told = new Set(known.map(keyOf))
  const fresh: LawBreach[] = []
  for (const breach of found) {
    if (told.has(keyOf(breach))) continue
    const written = await tx
      .insertInto('agreementLawNotices')
      .values({ agreementId: breach.agreementId, ruleId: breach.id, noticedAt })
      .onConflict(conflict => conflict.doNothing())
      .returning('agreementId')
      .executeTakeFirst()
    if (written) fresh.push(breach)
  }
  return fresh
}

async function tell({ jobs, webOrigin }: LawCheckParts, tx: Transaction, fresh: readonly LawBreach[]): Promise<void> {
  const all = [...Map.groupBy(fresh, one => one.text)]
  const groups = all.slice(0, MOST_NAMED)
  const named = new Set(groups.flatMap(([, these]) => these.slice(0, MOST_NAMED).map(one => one.agreementId)))
  const rows = await tx
    .selectFrom('agreements as a')
    .innerJoin('organizations as o', 'o.id', 'a.organizationId')
    .select(['a.id', 'a.name', 'a.code', 'o.name as organizationName'])
    .where('a.id', 'in', [...named])
    .execute()
  const names = new Map(rows.map(row => [row.id, `${row.organizationName}「${row.name}」（${row.code}）`]))
  const paragraphs = groups.map(([text, these]) => {
    const first = these.slice(0, MOST_NAMED).map(one => names.get(one.agreementId))
    const rest = these.length - first.length
    return [text, ...first, ...(rest > 0 ? [`ほか${rest}件`] : [])].join('\n')
  })
  const letter = {
    subject: `【法令の確認】${new Set(fresh.map(one => one.agreementId)).size}件の契約に、確認が必要な点があります`,
    paragraphs: [
      '今日の時点の法令ルールと支払の期限で、契約を確認しました。次の点を確認してください。',
      ...paragraphs,
      ...(all.length > groups.length
        ? [`ほかに${all.length - groups.length}点あります。契約と振込の画面で確認してください。`]
        : []),
      'このお知らせは、同じ点については一度だけお送りします。',
    ],
    action: { label: '契約を開く', url: `${webOrigin}/gpc/#/managements/agreements` },
  }
  for (const to of addressesOf(await peopleWithRoles(tx, TOLD).execute()))
    await jobs.enqueue(tx, MAIL_JOB, writeLetter({ to, ...letter }))
}
