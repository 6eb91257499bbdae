import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The public register over HTTP: what a file says of the payees' numbers, and whom it concerns. */
let system: SystemUnderTest
const token = new Map<string, string>()
const [HELD, ENDED] = ['T7123456789012', 'T4011001098993']

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: fixedClock('2026-11-20T12:00:00+09:00') })
  for (const role of ['insight:admin', 'insight:viewer', 'insight:publisher_admin'] as const) {
    token.set(role, await system.tokenOf(system.rows.users[role].email))
  }
  const [first, second] = system.rows.a.agreementIds
  await system.dependencies.database.inScope(SYSTEM, async tx => {
    await tx.updateTable('agreements').set({ invoiceRegistrationNumber: null }).execute()
    for (const [id, number] of [
      [first!, HELD],
      [second!, ENDED],
    ] as const) {
      await tx.updateTable('agreements').set({ invoiceRegistrationNumber: number }).where('id', '=', id).execute()
    }
  })
})
afterAll(() => system?.close())

const ask = (query: string, variables: object = {}, as = 'insight:admin'): Promise<Answer> =>
  system.ask('insight', query, token.get(as), variables)
const IMPORT = `mutation ($name: String!, $content: String!) { importInvoiceRegister(name: $name, content: $content) { lines known changed } }`
const importFile = (text: string, as?: string) =>
  ask(IMPORT, { name: 'register.csv', content: Buffer.from(text).toString('base64') }, as)
async function watch(as = 'insight:viewer') {
  const answer = await ask(
    `{ invoiceRegisterWatch { counts { ended ending unseen valid } nodes { agreementId registrationNumber standing endedOn checkedAt } } }`,
    {},
    as,
  )
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (
    answer.json.data as {
      invoiceRegisterWatch: {
        counts: Record<string, number>
        nodes: { registrationNumber: string; standing: string; endedOn: string | null; checkedAt: string | null }[]
      }
    }
  ).invoiceRegisterWatch
}

test('a number that nobody has looked up says so; a file says it, and its end comes first', async () => {
  expect(await watch()).toMatchObject({ counts: { unseen: 2, valid: 0, ended: 0 } })
  const text = `登録番号,登録年月日,失効年月日\n${HELD},2023-10-01,\n${ENDED},2023-10-01,2026-10-31\nT7010705000725,2023-10-01,`
  const imported = await importFile(text)
  expect(imported.json.data).toEqual({ importInvoiceRegister: { lines: 3, known: 2, changed: 2 } })
  const found = await watch()
  expect(found.counts).toMatchObject({ unseen: 0, valid: 1, ended: 1 })
  expect(found.nodes).toMatchObject([
    { registrationNumber: ENDED, standing: 'ended', endedOn: '2026-10-31' },
    { registrationNumber: HELD, standing: 'valid', endedOn: null },
  ])
  // The same file again is looked at again, and changes nothing.
  expect((await importFile(text)).json.data).toEqual({ importInvoiceRegister: { lines: 3, known: 2, changed: 0 } })
  const { rows } = await system.dependencies.database.inScope(SYSTEM, async tx => ({
    rows: await tx.selectFrom('invoiceRegisterResults').select(['registrationNumber', 'source']).execute(),
  }))
  expect(rows.map(row => row.registrationNumber).toSorted()).toEqual([ENDED, HELD].toSorted())
})

test('a file that cannot be read changes nothing and says which line', async () => {
  const before = await watch()
  const answer = await importFile(`登録番号,登録年月日,失効年月日\n${HELD},2023-10-01,2026-01-01\nT12,2023-10-01,`)
  expect(answer.json.errors?.[0]?.message).toContain('3行目を読み取れません')
  expect(await watch()).toEqual(before)
})

test('who may only read cannot import; people of publishers see nothing of it', async () => {
  expect((await importFile('x', 'insight:viewer')).json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  const answer = await ask('{ invoiceRegisterWatch { counts { valid } } }', {}, 'insight:publisher_admin')
  expect(answer.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
})
