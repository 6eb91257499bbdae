import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { randomSource } from '@pc/domain/settlement/random-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { readStagingDocument } from '@pc/features/feeds/server/staging-document.ts'
import { importStaging } from '@pc/features/feeds/server/staging-store.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import { sendExtremeFiles } from '@pc/testing/system/extreme-files-fixture.ts'
import {
  allLargest,
  allowedEdges,
  type ExtremeInput,
  extremeInputs,
  literalArguments,
  someOf,
  unanswered,
} from '@pc/testing/system/extreme-inputs-fixture.ts'
import { newAddress, operation, rootFields, selection } from '@pc/testing/system/sample-requests.ts'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import type { GraphQLField } from 'graphql'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

/**
 * Every mutation that creates, sent many times at once with one key: one effect, as large as that of a single submission,
 * and one answer; the same key with another body is refused. What has to be asked comes from the schemas: a mutation that
 * is added later and creates something fails here until an input is given. A long run:
 * SUBMIT_ROUNDS=50.
 */
const ROUNDS = Number(process.env.SUBMIT_ROUNDS ?? 1)
const AT_ONCE = process.env.SUBMIT_ROUNDS ? 20 : 3
const CREATES = /^(add|ask|create|invite|pinTo|place|save|upsert|write)/
/** From here on: bodies for a key that was used. */
const OTHER = 1_000
const MEDIUM = 21n
const CLOSED = 202606 as YearMonth

const clock = fixedClock('2026-07-20T12:00:00+09:00')
let booked: ReturnType<typeof sampleAgreement>
let system: SystemUnderTest
const tokens = new Map<string, string>()
let questionId = ''
beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  const { database, stats, money } = system.dependencies
  const share = { ownAdsRateUnits: 5000, sspRateUnits: 4000, isTargetForSspAllocation: true }
  const agreement = {
    ...sampleAgreement(2101n, [{ ...sampleRule(2601n, 100_001n, { share }), mediumId: MEDIUM }]),
    mediumId: MEDIUM,
    organizationId: system.rows.a.organizationId,
  }
  booked = agreement
  await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeTransferSettings(tx)
    // Who changes the rule about second factors has one.
    await tx
      .insertInto('idpAuthenticators')
      .values({ uid: system.rows.users['iam:admin'].uid, kind: 'totp', label: '', sealedTotpSecret: 's'.repeat(40) })
      .execute()
    await writeAgreements(tx, [{ mediumId: MEDIUM, agreements: [agreement] }])
  })
  await writeOwnAds(stats, [{ ...sampleMonth(CLOSED, { agreements: [agreement] }), mediumId: MEDIUM }], 77n)
  const key = { mediumId: MEDIUM, month: CLOSED }
  expect(await computeMonth(money.payments, key)).toMatchObject({ ok: true })
  expect(await closeMonth(money, key, system.rows.users['insight:admin'].uid)).toMatchObject({ ok: true })
})
/** A token lives ten minutes; all rounds take longer. */
beforeEach(async () => {
  if (tokens.size === 0 || ROUNDS > 1) await renewTokens()
})
async function renewTokens(): Promise<void> {
  for (const role of ['admin', 'iam:admin', 'insight:publisher_admin'] as const)
    tokens.set(role, await system.tokenOf(system.rows.users[role].email))
}
afterAll(() => system?.close())

interface Submission {
  /** Default: the administrator of everything. */
  readonly as?: string
  readonly variables: Record<string, unknown>
}
const TILE = {
  ...{ id: 't1', title: 'x', report: 'dashboard', shape: 'chart', figure: 'revenue' },
  ...{ granularity: 'daily', period: 'last7', width: 2, height: 2 },
}
/** A month from 2030 on, another one each time. */
const monthOf = (n: number) => `${2030 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`
const agreementOf = (name: string) => ({
  ...{ name, code: name, mediumId: '1', organizationId: idOf('organizationId') },
  ...{ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered', payeeKind: 'company' },
})
const publisherOf = (n: number) => ({ name: `新聞 ${n}`, organizationId: idOf('organizationId') })
const ruleOf = () => ({ agreementId: idOf('agreementIds'), paymentRate: { paymentRate: 1_000 } })
const idOf = (name: 'organizationId' | 'agreementIds' | 'publisherIds' | 'bankId' | 'bankBranchId') =>
  String([system.rows.a[name]].flat()[0])
const publisher = 'insight:publisher_admin'
const JOURNAL = [
  ...['accrued_cost', 'bank', 'bank_fee', 'input_tax', 'non_deductible_tax', 'payable', 'publisher_cost'],
  'withholding_payable',
]

/** What each asks for, the n-th time; none is like another. */
const SUBMISSIONS: Readonly<Record<string, (n: number) => Submission | Promise<Submission>>> = {
  addAgreementDocument: async n => ({
    variables: {
      agreementId: `${system.rows.a.agreementIds[n % 3]}`,
      fileName: `契約書${n}.pdf`,
      uploadId: await upload(n),
    },
  }),
  askQuestion: async n => ({ as: publisher, variables: { ...(await paymentRequested()), text: `質問 ${n}` } }),
  createAgreements: n => ({ variables: { input: [agreementOf(`新しい契約 ${n}`)] } }),
  createApiKey: n => ({ as: publisher, variables: { input: { name: `鍵 ${n}`, days: 30, scopes: ['reports'] } } }),
  createBankAccount: n => ({
    variables: {
      input: {
        ...{ bankId: idOf('bankId'), bankBranchId: idOf('bankBranchId'), organizationId: idOf('organizationId') },
        ...{ typeName: 'ordinary', number: String(n + 1).padStart(7, '0'), holder: 'カ)アオゾラ' },
      },
    },
  }),
  createDividend: n => ({
    variables: {
      input: {
        ...{ mediumId: `${MEDIUM}`, dividendMonth: '2026-07', kind: 'csv', dividendMethod: 'payment', notes: `${n}` },
      },
      rawData: [{ agreementId: '2101', publisherId: '2601', amount: `${n + 1}`, reason: 'invalid_traffic' }],
    },
  }),
  createFeedFromStaging: n => ({
    variables: { input: { stagingFeedId: `f-${n}`, publisherId: idOf('publisherIds'), mediumId: '1' } },
  }),
  createMedium: n => ({ variables: { param: { name: `媒体 ${n}` } } }),
  createOrganization: n => ({ variables: { name: `組織 ${n}` } }),
  createPublisherWithAgreementPublisherRulesFromStaging: n => ({
    variables: {
      publisher: { stagingPublisherId: `p-${n}`, organizationId: idOf('organizationId') },
      agreementPublisherRules: [],
    },
  }),
  createTransferBatch: n => ({
    variables: { request: { dueOn: '2026-07-31', transferOn: '2026-07-31', months: n < OTHER ? null : ['2026-06'] } },
  }),
  inviteUser: () => ({
    variables: {
      input: { email: newAddress('invited'), agreementIds: [], roles: ['insight:viewer'] },
    },
  }),
  inviteUserForPublisher: () => ({
    as: publisher,
    variables: { input: { email: newAddress('invited'), roles: ['insight:publisher_admin'] } },
  }),
  pinToBoard: n => ({ variables: { input: { boardName: `ボード ${n}`, tile: TILE } } }),
  placeLegalHold: n => ({
    variables: { input: { reason: `保全する理由 ${n}`, organizationId: idOf('organizationId') } },
  }),
  saveAnnotation: n => ({
    variables: {
      input: { startsOn: '2026-07-01', endsOn: '2026-07-02', text: `注記 ${n}`, visibility: 'own', mediumIds: [] },
    },
  }),
  saveAnswerTemplate: n => ({ variables: { input: { name: `テンプレート ${n}`, body: '回答' } } }),
  saveBoard: n => ({ variables: { input: { name: `ボード ${n}`, tiles: [TILE] } } }),
  saveDatedRate: n => ({
    variables: { input: { kind: 'consumption_tax', percent: 10, validFromMonth: monthOf(n) } },
  }),
  saveJournalAccounts: n => ({
    variables: {
      input: { names: JOURNAL.map(account => ({ account, name: account })), validFromMonth: monthOf(n) },
    },
  }),
  savePayoutSetting: n => ({
    variables: {
      input: {
        ...{
          businessDayShift: 'next',
          needsTwoPersons: false,
          payoutThreshold: 1,
          returnFee: 880,
          taxPeriodStartMonth: 1,
          inputTaxTiming: 'accrual',
          validFromMonth: monthOf(n),
        },
        ...{ liveSspWeight: 'article_watch', sspWeight: 'article_watch', videoSspWeight: 'article_watch' },
      },
    },
  }),
  savePreference: n => ({ variables: { key: 'columns/articles', value: `["${n}"]` } }),
  saveReturnsFirstMonth: async n => {
    // The data's months were closed by these rules, which fixes their first month: here none was.
    await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.updateTable('settlementRules').set({ validFromMonth: 202912 }).where('validFromMonth', '<', 202912).execute(),
    )
    return { variables: { validFromMonth: monthOf(n) } }
  },
  saveReportMail: n => ({
    variables: {
      input: {
        ...{ name: `メール ${n}`, cadence: 'daily', hour: 9, compareWith: 'previous_period', ranking: 'articles' },
        monthDay: 'first',
      },
    },
  }),
  saveSecondFactorRule: n => ({ as: 'iam:admin', variables: { isRequired: false, graceDays: (n % 30) + 1 } }),
  saveStatementSettings: n => ({
    variables: {
      input: {
        ...{ deemedConfirmationDays: 14, payerName: `支払元 ${n}`, payerAddress: '東京都' },
        ...{ payerRegistrationNumber: 'T4011001098993', validFromMonth: monthOf(n) },
      },
    },
  }),
  saveTransferFees: n => ({
    variables: {
      input: {
        ...{ sourceBankCode: '0005', validFrom: `${monthOf(n)}-01` },
        lines: ['same_branch', 'same_bank', 'other_bank'].map(destination => ({
          destination,
          fee: 100,
          fromAmount: 0,
        })),
      },
    },
  }),
  saveTransferSource: n => ({
    variables: {
      input: {
        ...{ accountNumber: '7654321', accountType: 'ordinary', bankCode: '0001', branchCode: '100' },
        ...{ clientCode: '1234567890', clientName: 'ｶ)ﾊﾞｲﾀｲ', hasLineBreaks: true, validFromMonth: monthOf(n) },
        ...{ resultMarkOffset: 0, resultMarkLength: 1, resultPaidMarks: ['0'], resultReturnedMarks: ['8'] },
      },
    },
  }),
  saveView: n => ({ variables: { input: { name: `表示 ${n}`, screen: 'articles', condition: 'granularity=weekly' } } }),
  saveWebhook: n => ({
    variables: { input: { url: `https://hooks.example.com/${n}`, events: ['payment_paid'] } },
  }),
  saveWhatIfDraft: n => ({
    variables: {
      input: { name: `試算 ${n}`, mediumId: `${MEDIUM}`, month: '2026-06', change: { payoutThreshold: n } },
    },
  }),
  saveWithholdingRate: n => ({
    variables: {
      input: {
        ...{ rateUpToThreshold: 1_021, rateAboveThreshold: 2_042, rateNonResident: 2_042, threshold: 1_000_000 },
        validFrom: `${monthOf(n)}-01`,
      },
    },
  }),
  upsertAgreement: n => ({ variables: { input: agreementOf(`契約 ${n}`) } }),
  upsertAnnouncement: n => ({
    variables: {
      input: {
        ...{ title: `お知らせ ${n}`, body: '<p>本文</p>', level: 'info', startAt: '2026-07-01T00:00:00Z' },
        targets: [{ kind: 'all' }],
      },
    },
  }),
  upsertFeed: n => ({
    variables: {
      input: {
        ...{ name: `フィード ${n}`, url: `https://feeds.example/${n}.xml`, type: 'gnf1', mediumId: '1' },
        publisherId: idOf('publisherIds'),
      },
    },
  }),
  upsertPublisher: n => ({ variables: { publisher: publisherOf(n) } }),
  upsertPublisherWithAgreementPublisherRules: n => ({
    variables: { publisher: publisherOf(n), agreementPublisherRules: [ruleOf()] },
  }),
  writeQuestionMessage: async n => ({ variables: { id: await openQuestion(), text: `回答 ${n}` } }),
}

const inBooks = <T>(work: Parameters<typeof system.dependencies.database.inScope<T>>[1]) =>
  system.dependencies.database.inScope<T>(SYSTEM, work)

async function answered<T>(query: string, variables?: object, as = 'admin'): Promise<T> {
  const { json, text } = await system.ask('insight', query, tokens.get(as), variables)
  if (json.errors) throw new Error(text)
  return Object.values(json.data as object)[0] as T
}
async function upload(n: number): Promise<string> {
  const bytes = Buffer.from(`%PDF-1.7\n${n}\nxref\n0 1\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n`)
  const query = `{ agreementDocumentUploadUrl(sizeBytes: ${bytes.length}) { uploadUrl uploadId } }`
  const { uploadUrl, uploadId } = await answered<{ uploadUrl: string; uploadId: string }>(query)
  const { pathname, search } = new URL(uploadUrl)
  const options = { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': 'application/pdf' } }
  expect((await fetch(`${system.origins.web}${pathname}${search}`, options)).status).toBe(201)
  return uploadId
}
async function paymentRequested() {
  const { id } = await inBooks(tx => tx.selectFrom('monthlyPayments').select('id').executeTakeFirstOrThrow())
  const subject = { kind: 'payment', id: String(id), column: 'paymentIncludingTax' }
  const query = 'query ($subject: QuestionSubjectInput!) { questionSubject(subject: $subject) { value } }'
  return { subject, seenValue: (await answered<{ value: string }>(query, { subject }, publisher)).value }
}
async function openQuestion(): Promise<string> {
  const query =
    'mutation ($subject: QuestionSubjectInput!, $seenValue: String) { askQuestion(subject: $subject, seenValue: $seenValue, text: "x") { id } }'
  questionId ||= (await answered<{ id: string }>(query, await paymentRequested(), publisher)).id
  return questionId
}

/** How many rows each table has: what a submission leaves behind, its audit rows among them. */
async function rowCounts(): Promise<Map<string, number>> {
  const { rows } = await inBooks(tx =>
    sql<{ table: string; count: number }>`
      select format('%I.%I', n.nspname, c.relname) as "table", (xpath('/row/n/text()',
        query_to_xml(format('select count(*) as n from %I.%I', n.nspname, c.relname), false, true, '')))[1]::text::int as count
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and c.relname <> 'audit_log' and n.nspname in ('public', 'app', 'staging', 'pgboss')
        and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')`.execute(tx),
  )
  // Each answer that shows a number in full is noted too: that is no effect of the submission.
  const { changes } = await inBooks(tx =>
    tx
      .selectFrom('auditLog')
      .select(({ fn }) => fn.countAll<number>().as('changes'))
      .where('action', '<>', 'read-in-full')
      .executeTakeFirstOrThrow(),
  )
  return new Map([...rows.map(({ table, count }) => [table, count] as const), ['changes noted', Number(changes)]])
}
const effectOf = async <T>(work: () => Promise<T>) => {
  const before = await rowCounts()
  const value = await work()
  const after = await rowCounts()
  const changed = [...after].flatMap(([table, count]) => {
    const more = count - (before.get(table) ?? 0)
    return more === 0 || table === 'pgboss.queue' ? [] : [`${table} ${more > 0 ? '+' : ''}${more}`]
  })
  return { value, effect: changed.join(', ') }
}

const problemOf = ({ json }: Answer) => {
  const [error] = json.errors ?? []
  return error && JSON.stringify(error.extensions.refusals ?? error)
}
/** A secret is answered once: what is left of the answers has to be the same. */
const withoutSecret = (text: string) => text.replace(/"(secret|isRepeated)":("[^"]*"|\w+)/g, '')
/** What a person may have so many of, or do so often, is free again, and nobody is shut out without a second factor. */
const makeRoom = () =>
  inBooks(async tx => {
    for (const table of ['publisherApiKeys', 'sentMails', 'savedViews', 'reportMails', 'boards', 'webhooks'] as const)
      await tx.deleteFrom(table).execute()
    await tx.updateTable('secondFactorRule').set({ isRequired: false }).execute()
  })

test('every mutation that creates has an input here', () => {
  const names = (['insight', 'iam'] as const).flatMap(api => createsOf(api).map(field => field.name))
  expect(names.filter(name => !SUBMISSIONS[name])).toEqual([])
  expect(Object.keys(SUBMISSIONS).filter(name => !names.includes(name))).toEqual([])
})
const createsOf = (api: 'insight' | 'iam') =>
  rootFields(api === 'insight' ? system.dependencies.insightSchema : system.dependencies.iamSchema)
    .filter(({ kind, field }) => kind === 'mutation' && CREATES.test(field.name))
    .map(({ field }) => field)

let submissions = 0
test.each(Object.keys(SUBMISSIONS))(
  `%s: ${AT_ONCE} at once, ${ROUNDS} times: one effect each`,
  { timeout: 600_000 },
  async name => {
    const api = createsOf('iam').some(field => field.name === name) ? 'iam' : 'insight'
    const field = createsOf(api).find(each => each.name === name)
    if (!field) throw new Error(`no mutation ${name}`)
    expect(field.args.map(argument => argument.name)).toContain('idempotencyKey')
    const send = async ({ as = 'admin', variables }: Submission, idempotencyKey: string): Promise<Answer> => {
      const sent = { ...variables, idempotencyKey }
      const names = Object.keys(sent)
      const declared = names.map(each => `$${each}: ${field.args.find(argument => argument.name === each)?.type}`)
      const query = `mutation M(${declared.join(', ')}) { ${name}(${names.map(each => `${each}: $${each}`).join(', ')}) ${selection(field.type, 3)} }`
      for (;;) {
        const answer = await system.ask(api, query, tokens.get(as), sent)
        if (answer.status !== 503) return answer // too busy for so many: it says so, and is asked again
      }
    }
    const undo = async (made: Answer | undefined) => {
      await makeRoom()
      if (name !== 'createTransferBatch' && name !== 'createDividend') return
      const { id = '' } = (made?.json.data as Record<string, { id: string }> | undefined)?.[name] ?? {}
      if (name === 'createDividend') await runManualOperation(system.dependencies.money.manualOperations, BigInt(id))
      else await answered('mutation ($id: ID!) { cancelTransferBatch(id: $id, reason: "x") { id } }', { id })
    }
    const next = async (n: number) => {
      if (/Staging/.test(name)) await bringStaging(n)
      return (await SUBMISSIONS[name]?.(n)) as Submission
    }
    // What only the first one of all leaves behind is there then.
    await undo(await send(await next(0), `${name}-first`))
    const single = await next(1)
    const alone = await effectOf(() => send(single, `${name}-alone`))
    expect(problemOf(alone.value)).toBeUndefined()
    expect(alone.effect).toContain('changes noted +')
    await undo(alone.value)
    for (let round = 2; round < 2 + ROUNDS; round++) {
      const submission = await next(round)
      const { value, effect } = await effectOf(() =>
        Promise.all(Array.from({ length: AT_ONCE }, () => send(submission, `${name}-${round}`))),
      )
      submissions += AT_ONCE
      expect(new Set(value.map(({ text }) => withoutSecret(text))).size).toBe(1)
      expect([...new Set(value.map(problemOf))]).toEqual([undefined])
      expect(effect).toBe(alone.effect)
      const other = await send(await next(OTHER + round), `${name}-${round}`)
      expect(other.json.errors?.[0]?.extensions.refusals, other.text).toMatchObject([
        { code: 'idempotency/key-reused' },
      ])
      await undo(value[0])
    }
  },
)
/**
 * Every mutation with its values at the edges, `EXTREME_INPUTS` of them for each, then with the largest of those that were
 * accepted at once: in variables, and written into the text of the query. What creates begins with its submission, others
 * with what the authorisation matrix sends. Then files of every import with a cell at an edge, so many of each kind.
 */
const EXTREMES = Number(process.env.EXTREME_INPUTS ?? 2)
const EXTREME_SEED = Number(process.env.EXTREME_SEED ?? 20_261_125)

test('the largest and smallest values: accepted or refused, and every question is answered afterwards', {
  timeout: 600_000 + EXTREMES * 60_000,
}, async () => {
  const random = randomSource(EXTREME_SEED)
  const counts = { accepted: 0, refused: 0, inText: 0 }
  const problems: string[] = []
  for (const api of ['insight', 'iam'] as const)
    for (const { kind, field } of rootFields(schemaOf(api))) {
      if (kind !== 'mutation') continue
      await renewTokens() // some of them end a session
      const base = await baseOf(field)
      const accepted: ExtremeInput[] = []
      const sendIn = async (way: 'variables' | 'text', input: ExtremeInput) => {
        await makeRoom()
        const token = tokens.get(base.as ?? 'admin')
        const { variables } = input
        const answer =
          way === 'variables'
            ? await system.ask(api, documentOf(field, variables), token, variables)
            : await system.ask(api, textOf(field, literalArguments(field, variables)), token)
        counts[answer.json.errors ? 'refused' : 'accepted'] += 1
        if (way === 'text') counts.inText += 1
        if (!answer.json.errors) accepted.push(input)
        const problem = unanswered(answer) ?? (await bookManualOperation(field.name, answer))
        if (problem)
          problems.push(`${field.name} ${input.path}=${JSON.stringify(input.value).slice(0, 60)} in ${way}: ${problem}`)
        return answer
      }
      // What the first one creates may be in the way of the second: either is the first one.
      const send = async (input: ExtremeInput) => {
        const [first, second] = random.percent(50) ? (['variables', 'text'] as const) : (['text', 'variables'] as const)
        const answer = await sendIn(first, input)
        await sendIn(second, input)
        return answer
      }
      for (const input of someOf(random, extremeInputs(field, base.variables), EXTREMES)) {
        const answer = await send(input)
        for (const allowed of allowedEdges(answer, input)) await send(allowed)
      }
      if (accepted.length > 1) await send(allLargest(base.variables, accepted))
    }
  await makeRoom()
  // The rows of the files name records that were given extreme names above.
  const { organizationId, publisherIds, agreementIds } = system.rows.a
  await inBooks(async tx => {
    await tx.updateTable('organizations').set({ name: 'ALPHA 株式会社' }).where('id', '=', organizationId).execute()
    await tx.updateTable('publishers').set({ name: 'ALPHA 新聞 1' }).where('id', '=', publisherIds[0]!).execute()
    await tx.updateTable('agreements').set({ code: 'ALPHA-1' }).where('id', '=', agreementIds[0]!).execute()
  })
  const tokenOf = (role: 'admin' | 'insight:admin') => system.tokenOf(system.rows.users[role].email)
  const sent = await sendExtremeFiles(system, tokenOf, random, EXTREMES)
  problems.push(...sent.problems, ...(await unclosedMonth()), ...(await unansweredQuestions()))
  console.warn(
    `extreme inputs (seed ${EXTREME_SEED}): ${counts.accepted} accepted, ${counts.refused} refused (${counts.inText} of them in the text); ` +
      `${sent.files} files: ${sent.saved} saved, ${sent.refused} refused; ${questions} questions answered`,
  )
  expect(problems).toEqual([])
  expect(counts.accepted).toBeGreaterThan(counts.refused / 10)
})
const schemaOf = (api: 'insight' | 'iam') =>
  api === 'insight' ? system.dependencies.insightSchema : system.dependencies.iamSchema

/** The books take one entry of a kind at a time. */
async function bookManualOperation(name: string, { json }: Answer): Promise<string | undefined> {
  if (name !== 'createDividend' || json.errors) return undefined
  const { id } = (json.data as Record<string, { readonly id: string }>)[name]!
  return runManualOperation(system.dependencies.money.manualOperations, BigInt(id)).then(() => undefined, String)
}

/** The month with what was entered: computed and closed, or refused with its reasons. */
async function unclosedMonth(): Promise<string[]> {
  clock.set('2026-08-10T12:00:00+09:00')
  const key = { mediumId: MEDIUM, month: 202607 as YearMonth }
  const { money } = system.dependencies
  const problems: string[] = []
  const fault = (error: unknown) => void problems.push(`the month: ${String(error)}`)
  const media = await inBooks(tx => tx.selectFrom('agreements').select('mediumId').distinct().execute())
  for (const { mediumId } of media) await computeMonth(money.payments, { ...key, mediumId }).catch(fault)
  await writeOwnAds(
    system.dependencies.stats,
    [{ ...sampleMonth(key.month, { agreements: [booked] }), mediumId: MEDIUM }],
    78n,
  ).catch(fault)
  await computeMonth(money.payments, key).catch(fault)
  const closed = await closeMonth(money, key, system.rows.users['insight:admin'].uid).catch(fault)
  console.warn(`the month of the extreme inputs: ${closed?.ok ? 'closed' : JSON.stringify(closed?.refusals)}`)
  return problems
}

async function baseOf(field: GraphQLField<unknown, unknown>): Promise<Submission> {
  const n = 2 * OTHER
  if (/Staging/.test(field.name)) await bringStaging(n)
  return (
    (await SUBMISSIONS[field.name]?.(n)) ?? operation(field, 'mutation', system.rows.a, system.rows.users.nobody.uid)
  )
}

function documentOf(field: GraphQLField<unknown, unknown>, variables: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(variables)
  const declared = names.map(each => `$${each}: ${field.args.find(argument => argument.name === each)?.type}`)
  const passed = names.map(each => `${each}: $${each}`)
  return textOf(field, passed, names.length > 0 ? `(${declared.join(', ')})` : '')
}

function textOf(field: GraphQLField<unknown, unknown>, passed: readonly string[], declared = ''): string {
  return `mutation M${declared} { ${field.name}${passed.length > 0 ? `(${passed.join(', ')})` : ''} ${selection(field.type, 3)} }`
}

let questions = 0
/** Everything that can be asked, of staff and of a publisher, over the extreme records; reports and records as files. */
async function unansweredQuestions(): Promise<string[]> {
  await renewTokens()
  const problems: string[] = []
  for (const api of ['insight', 'iam'] as const)
    for (const { kind, field } of rootFields(schemaOf(api))) {
      if (kind !== 'query') continue
      const { query, variables } = operation(field, 'query', system.rows.a, system.rows.users.nobody.uid)
      const others = 'id' in variables ? ['1', '2', '3'].map(id => ({ ...variables, id })) : []
      for (const sent of [{ ...variables, ...('limit' in variables ? { limit: 100 } : {}) }, ...others])
        for (const as of ['admin', publisher]) {
          questions += 1
          const problem = unanswered(await system.ask(api, query, tokens.get(as), sent))
          if (problem) problems.push(`${field.name} ${JSON.stringify(sent)}: ${problem}`)
        }
    }
  const files = [
    ...['dashboard', 'publisher-ranking', 'articles', 'videos'].map(report => ['report', { report }] as const),
    ...system.dependencies.importKinds.map(({ name }) => ['import', { kind: name, content: 'filled' }] as const),
  ]
  for (const [table, requested] of files)
    for (const format of ['csv', 'xlsx']) {
      questions += 1
      const answer = await fetch(`${system.origins.insight}/exports/${table}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.get('admin')}` },
        body: JSON.stringify({ format, ...requested }),
      })
      await answer.arrayBuffer()
      if (answer.status !== 200) problems.push(`${JSON.stringify(requested)} ${format}: ${answer.status}`)
    }
  return problems
}

async function bringStaging(n: number) {
  const feed = { id: `f-${n}`, publisherId: `p-${n}`, name: `本紙 ${n}`, url: `https://staging.example/${n}` }
  const read = readStagingDocument({
    publishers: [{ id: `p-${n}`, name: `段 ${n}` }],
    feeds: [{ ...feed, fields: { mediumId: '1', type: 'snf2' } }],
  })
  if ('problems' in read) throw new Error(read.problems.join())
  await inBooks(tx => importStaging(tx, read.document, 'test.json'))
}
afterAll(() => console.warn(`double submit: ${submissions} submissions in ${ROUNDS} rounds of ${AT_ONCE}`))
