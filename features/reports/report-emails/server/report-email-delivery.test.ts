import fs from 'node:fs'
import path from 'node:path'
import type { Role } from '@pc/domain/access/role.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

let system: SystemUnderTest
const tokens = new Map<string, string>()

beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const [name, { email }] of Object.entries(system.rows.users)) tokens.set(name, await system.tokenOf(email))
  await system.dependencies.jobs.work(system.dependencies.jobHandlers)
})
afterAll(() => system?.close())
beforeEach(() => system.dependencies.database.inScope(SYSTEM, tx => tx.deleteFrom('reportMails').execute()))

type Person = Role | 'ofB' | 'nobody'
async function ask(person: Person, query: string, variables: object = {}) {
  const { json } = await system.ask('insight', query, tokens.get(person), variables)
  const codes = json.errors?.flatMap(error =>
    error.extensions.code === 'BAD_REQUEST' && error.extensions.refusals
      ? (error.extensions.refusals as { code: string }[]).map(one => one.code)
      : [error.extensions.code],
  )
  return (codes ?? Object.values((json.data ?? {}) as object)[0]) as never
}
const LIST = '{ reportMails { id name cadence hour mediumIds publisherIds isPaused revision last { state } } }'
const SAVE = 'mutation ($input: ReportMailInput!) { saveReportMail(input: $input) { id name revision publisherIds } }'
const PAUSE = 'mutation ($id: ID!) { pauseReportMail(id: $id, isPaused: true) { isPaused } }'
const DELETE = 'mutation ($id: ID!) { deleteReportMail(id: $id) { id } }'
const RESTORE = 'mutation ($id: ID!) { restoreReportMail(id: $id) { id } }'
const TEST = 'mutation ($id: ID!) { sendReportMailTest(id: $id) }'
const input = (more: object = {}) => ({
  input: {
    ...{ name: '毎朝', cadence: 'daily', hour: 9, compareWith: 'previous_period', ranking: 'articles' },
    ...{ publisherIds: ['5'], ...more },
  },
})
const save = async (person: Person, more: object = {}) => (await ask(person, SAVE, input(more))) as { id: string }
const namesOf = async (person: Person) => ((await ask(person, LIST)) as { name: string }[]).map(one => one.name)

const PEOPLE = [
  'insight:admin',
  'insight:viewer',
  'insight:publisher_admin',
  'insight:publisher_editor',
  'ofB',
] as const

test('mails belong to one person each; nobody reads or changes those of others', async () => {
  for (const person of PEOPLE)
    expect(await save(person, { name: person })).toMatchObject({ name: person, publisherIds: ['5'], revision: 1 })
  for (const person of PEOPLE) expect(await namesOf(person)).toEqual([person])
  const [{ id }] = (await ask('ofB', LIST)) as [{ id: string }]
  for (const person of PEOPLE.filter(one => one !== 'ofB')) {
    for (const change of [PAUSE, DELETE, RESTORE, TEST])
      expect(await ask(person, change, { id })).toEqual(['record/not-found'])
    expect(await ask(person, SAVE, input({ id, expectedRevision: 1 }))).toEqual(['record/not-found'])
  }
})

test('what is wrong, not allowed or too much is refused', async () => {
  expect(await save('insight:viewer', { name: ' ', hour: 24 })).toEqual([
    'report-mail/name-missing',
    'report-mail/hour-invalid',
  ])
  expect(await save('insight:publisher_admin', { ranking: 'publishers' })).toEqual(['report-mail/ranking-not-allowed'])
  expect(await save('nobody')).toEqual(['report-mail/no-reports'])
  const many = Array.from({ length: 101 }, (_, index) => String(10n ** 17n + BigInt(index)))
  for (const name of ['mediumIds', 'organizationIds', 'publisherIds']) {
    // Left out, they would have the mail tell of everybody.
    expect(await save('insight:viewer', { [name]: ['5', 'x'] })).toEqual(['id/not-a-number'])
    expect(await save('insight:viewer', { [name]: many })).toEqual(['report/too-many-ids'])
  }
  const most = many.slice(0, 100)
  const widest = { mediumIds: most, organizationIds: most, publisherIds: most }
  expect(await save('insight:admin', widest)).toMatchObject({ publisherIds: most })
  const { id } = await save('insight:viewer')
  expect(await save('insight:viewer', { id, expectedRevision: 1 })).toMatchObject({ revision: 2 })
  expect(await save('insight:viewer', { id, expectedRevision: 1 })).toEqual(['record/edited-by-other'])
  for (let more = 1; more < 20; more += 1) await save('insight:viewer')
  expect(await save('insight:viewer')).toEqual(['report-mail/too-many'])
  await ask('insight:viewer', DELETE, { id })
  await save('insight:viewer')
  expect(await ask('insight:viewer', RESTORE, { id })).toEqual(['report-mail/too-many'])
})

test('a test leaves by the queue to the own address, five times an hour', async () => {
  const { id } = await save('insight:publisher_admin')
  for (let sent = 0; sent < 5; sent += 1) expect(await ask('insight:publisher_admin', TEST, { id })).toBe(true)
  expect(await ask('insight:publisher_admin', TEST, { id })).toEqual(['report-mail/too-many-tests'])
  const folder = path.join(system.dependencies.config.dataDir, 'outbox')
  await vi.waitFor(() => expect(fs.readdirSync(folder).filter(name => name.endsWith('.eml'))).toHaveLength(5), {
    ...{ timeout: 60_000, interval: 200 },
  })
  const message = fs.readFileSync(path.join(folder, fs.readdirSync(folder)[0]!), 'utf8')
  expect(message).toContain(`To: ${system.rows.users['insight:publisher_admin'].email}`)
  const states = () =>
    system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('reportMailDeliveries').select(['state', 'isTest']).execute(),
    )
  const sent = Array(5).fill({ state: 'sent', isTest: true })
  await vi.waitFor(async () => expect(await states()).toEqual(sent), { timeout: 60_000, interval: 100 })
  const audit = await system.dependencies.database.inScope(SYSTEM, tx =>
    tx.selectFrom('auditLog').select(['action', 'rowId']).orderBy('seq', 'desc').executeTakeFirst(),
  )
  const { uid } = system.rows.users['insight:publisher_admin']
  expect(audit).toEqual({ action: 'send-test', rowId: `${uid}/report-mails/${id}` })
})
