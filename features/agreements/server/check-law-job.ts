import { rolesOf } from '@pc/domain/access/role-duties.ts'
import type { AgreementTerms } from '@pc/domain/agreement/agreement-terms.ts'
import { lawFindings } from '@pc/domain/agreement/law-guard.ts'
import { isFeeOfUnknown, monthsShiftedTooFar, type ShiftedMonth } from '@pc/domain/agreement/payment-law.ts'
import { isProtectedOn } from '@pc/domain/agreement/protected-payee.ts'
import { comingVersions, type History, valueAsOf } from '@pc/domain/agreement/terms-history.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import type { HolidayCalendar } from '@pc/domain/month/holiday-calendar.ts'
import { firstDayOf, formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { coverageOf, factsOf } from './agreement-facts.ts'
import { readTermsHistories } from './agreement-terms-store.ts'
import { readPlatformTermsHistory } from './platform-terms.ts'

/** One breach of one agreement. */
export interface LawBreach {
  readonly agreementId: bigint
  /** Unique within the agreement. Each breach is reported once. */
  readonly id: string
  /** Japanese: what is wrong, the same for every agreement that has it. */
  readonly text: string
}

export interface LawCheckDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  readonly webOrigin: string
  readonly readHolidayCalendar: (tx: Transaction) => Promise<HolidayCalendar>
  /** Breaches by revenue that is or would be paid too late, or that was reduced. */
  readonly readLateRevenue: (tx: Transaction, today: Day) => Promise<readonly LawBreach[]>
}

const CHECK_LAW_JOB = defineJob('check-law', { cron: '20 6 * * *' })
const NOTIFIED_ROLES = rolesOf('staff', 'answers')
/** Breaches in one email, and agreements that are named for each of them. */
const MAX_NAMED = 50

export function checkLawHandler(parts: LawCheckDependencies): JobHandler {
  return handleJob(CHECK_LAW_JOB, async () => {
    await checkLaw(parts)
  })
}

/**
 * Checks every agreement that has not ended against the rules of law: its current terms, its later terms by the rules of
 * their first day, and its unpaid revenue. Each new breach is mailed once, and again when it returns after a repair.
 * Without a recipient, no breach counts as notified.
 * @returns how many are new
 */
export async function checkLaw(parts: LawCheckDependencies): Promise<number> {
  // As SYSTEM, because the job has no user and checks the agreements of all organisations.
  const { database, clock } = parts
  return database.inScope(SYSTEM, async tx => {
    const day = today(clock)
    const found = [...(await breachesOfTerms(parts, tx, day)), ...(await parts.readLateRevenue(tx, day))]
    await forgetCured(tx, found)
    const addresses = addressesOf(await peopleWithRoles(tx, NOTIFIED_ROLES).execute())
    if (addresses.length === 0) return 0
    const fresh = await noteBreaches(tx, found, new Date(clock.now()))
    if (fresh.length > 0) await notify(parts, tx, addresses, fresh)
    return fresh.length
  })
}

async function breachesOfTerms(parts: LawCheckDependencies, tx: Transaction, day: Day): Promise<LawBreach[]> {
  const month = monthOfDay(day)
  const platform = await readPlatformTermsHistory(tx)
  const shiftOf = (each: YearMonth) => valueAsOf(platform, each)!.businessDayShift
  const shifted = monthsShiftedTooFar(day, shiftOf, await parts.readHolidayCalendar(tx))
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
      const later = [...comingVersions(history, month), ...comingVersions(platform, month)]
      const found = new Map<string, LawBreach>()
      for (const from of new Set([month, ...later.map(version => version.validFromMonth).toSorted()])) {
        const terms = valueAsOf(history, from) ?? history[0]?.value
        if (!terms) continue
        const facts = factsOf(row, terms, valueAsOf(platform, from)!)
        if (isFeeOfUnknown(facts)) {
          found.set('fee-of-unknown', { agreementId: row.id, id: 'fee-of-unknown', text: FEE_OF_UNKNOWN })
        }
        const on = from === month ? day : firstDayOf(from)
        for (const { ruleId, severity, text } of lawFindings(facts, on)) {
          const isKnown = severity !== 'error' || found.has(ruleId)
          if (isKnown) continue
          const when = from === month ? '' : `${formatYearMonth(from)}分から適用する条件：`
          found.set(ruleId, { agreementId: row.id, id: ruleId, text: `${when}${text}` })
        }
      }
      breaches.push(...found.values(), ...shiftBreach(row, history, shifted))
    }
  }
  return breaches
}

const FEE_OF_UNKNOWN =
  '取適法・フリーランス法の対象か未確認のまま、振込手数料をパブリッシャーの負担にしています。対象であれば差し引けません。資本金と従業員数を確認して、契約に登録してください。'

/** Agreements that are read at once. Their ids are parameters of further queries, which can have at most 65,535. */
const PORTION = 5_000

function portionAfter(tx: Transaction, id: bigint) {
  return tx.selectFrom('agreements').selectAll().where('id', '>', id).orderBy('id').limit(PORTION).execute()
}

type AgreementRow = Awaited<ReturnType<typeof portionAfter>>[number]

/** The breach of the first month whose payment bank holidays move too far, under terms that pay in the next month. */
function shiftBreach(
  row: AgreementRow,
  history: History<AgreementTerms>,
  shifted: readonly ShiftedMonth[],
): readonly LawBreach[] {
  const tooFar = shifted.find(
    ({ month, dueOn }) =>
      valueAsOf(history, month)?.paymentTiming === 'a_month_later' && isProtectedOn(coverageOf(row), dueOn),
  )
  if (!tooFar) return []
  const month = formatYearMonth(tooFar.month)
  const text = `${month}分の支払期日（${dayText(tooFar.dueOn)}）は、銀行休業日の順延により法定の期限から2日を超えます。支払設定を前営業日の支払に変更してください。`
  return [{ agreementId: row.id, id: `shift/${month}`, text }]
}

const keyOf = ({ agreementId, id }: Pick<LawBreach, 'agreementId' | 'id'>) => `${agreementId}/${id}`
/** The columns of many rows, for `unnest`. */
function columnsOf(rows: readonly Pick<LawBreach, 'agreementId' | 'id'>[]) {
  const ids = rows.map(row => row.agreementId.toString())
  return sql`${ids}::bigint[], ${rows.map(row => row.id)}::text[]`
}

async function forgetCured(tx: Transaction, found: readonly LawBreach[]): Promise<void> {
  const current = new Set(found.map(keyOf))
  const known = await tx.selectFrom('agreementLawNotices').select(['agreementId', 'ruleId as id']).forUpdate().execute()
  const cured = known.filter(notice => !current.has(keyOf(notice)))
  if (cured.length === 0) return
  await sql`delete from agreement_law_notices n using unnest(${columnsOf(cured)}) c (agreement_id, rule_id)
    where n.agreement_id = c.agreement_id and n.rule_id = c.rule_id`.execute(tx)
}

/** Records the breaches. @returns those that are new; of two checks at the same time only one returns a breach */
async function noteBreaches(tx: Transaction, found: readonly LawBreach[], noticedAt: Date): Promise<LawBreach[]> {
  if (found.length === 0) return []
  const { rows } = await sql<{ agreementId: bigint; id: string }>`
    insert into agreement_law_notices (agreement_id, rule_id, noticed_at)
    select c.agreement_id, c.rule_id, ${noticedAt} from unnest(${columnsOf(found)}) c (agreement_id, rule_id)
    on conflict do nothing returning agreement_id, rule_id as id`.execute(tx)
  const fresh = new Set(rows.map(keyOf))
  return found.filter(breach => fresh.has(keyOf(breach)))
}

async function notify(
  { jobs, webOrigin }: LawCheckDependencies,
  tx: Transaction,
  addresses: readonly string[],
  fresh: readonly LawBreach[],
): Promise<void> {
  const all = [...Map.groupBy(fresh, one => one.text)]
  const groups = all.slice(0, MAX_NAMED)
  const named = new Set(groups.flatMap(([, these]) => these.slice(0, MAX_NAMED).map(one => one.agreementId)))
  const rows = await tx
    .selectFrom('agreements as a')
    .innerJoin('organizations as o', 'o.id', 'a.organizationId')
    .select(['a.id', 'a.name', 'a.code', 'o.name as organizationName'])
    .where('a.id', 'in', [...named])
    .execute()
  const names = new Map(rows.map(row => [row.id, `${row.organizationName}「${row.name}」（${row.code}）`]))
  const paragraphs = groups.map(([text, these]) => {
    const first = these.slice(0, MAX_NAMED).map(one => names.get(one.agreementId))
    const rest = these.length - first.length
    return [text, ...first, ...(rest > 0 ? [`ほか${rest}件`] : [])].join('\n')
  })
  const message = {
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
  for (const to of addresses) await jobs.enqueue(tx, MAIL_JOB, renderEmail({ to, ...message }))
}
