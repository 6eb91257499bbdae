import fs from 'node:fs'
import path from 'node:path'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'

/** Objections made before questions existed appear among them after the upgrade. */
const tested = await testDatabase()
afterAll(() => tested.drop())

const FILE = path.resolve(import.meta.dirname, '../../../db/postgres/0205_questions.sql')

test('objections and their answers of older statements become threads, once notified', async () => {
  const [, backfill] = fs.readFileSync(FILE, 'utf8').split('-- What was objected to before')
  const statement = (id: number, state: string, revision: number) => `
    insert into statements (id, monthly_payment_id, medium_id, agreement_id, organization_id, month, number, revision,
      revision_reason, template_version, content, hash, issued_on, issued_at, deemed_on, due_on, payee_name,
      total_without_tax_yen, total_yen, transfer_amount_yen, state, state_changed_at)
    overriding system value values (${id}, ${id}, 1, 1, 1, 202610, '202610-1', ${revision},
      ${revision > 0 ? `'r'` : 'null'}, 1, '{}', repeat('a', 64), '2026-11-10', now(), '2026-11-24', '2026-11-30', '東都新聞社',
      1234567, 1358023, 1358023, '${state}', '2026-11-20');`
  const event = (id: number, name: string, text: string | null, lines = '[]') => `
    insert into statement_events (statement_id, event, statement_hash, at, actor_uid, actor_email, source_address, text,
      lines, resolution) values (${id}, '${name}', '', '2026-11-1${id}', '00000000-0000-7000-8000-0000000000a1',
      'a@example.jp', '', ${text === null ? 'null' : `'${text}'`}, '${lines}', ${name === 'resolve' ? `'upheld'` : 'null'});`
  await withClient(tested.adminUrl, client =>
    client.query(`set app.scope = 'all';
      insert into media values (1, 'm');
      insert into organizations (id, name) overriding system value values (1, 'o');
      insert into agreements (id, medium_id, organization_id, name, code) overriding system value values (1, 1, 1, 'n', 'c');
      set session_replication_role = replica;
      ${statement(1, 'objected', 0)} ${event(1, 'object', '違います', '[{"label": "SSP分", "reason": "少ない"}]')}
      ${statement(2, 'resolved', 1)} ${event(2, 'object', 'x')} ${event(2, 'resolve', '記載のとおりです')}
      ${statement(3, 'confirmed', 2)} ${event(3, 'confirm', null)}
      set session_replication_role = default;
      -- What was objected to before${backfill}`),
  )
  const { threads, messages } = await tested.database.inScope(SYSTEM, async tx => ({
    threads: await tx
      .selectFrom('questions')
      .select(['statementId', 'subject', 'context', 'valueThen', 'state', 'kind', 'toldMessageId'])
      .orderBy('statementId')
      .execute(),
    messages: await tx
      .selectFrom('questionMessages as m')
      .innerJoin('questions as q', 'q.id', 'm.questionId')
      .select(['q.statementId', 'm.isByStaff', 'm.text', 'm.id'])
      .orderBy('m.id')
      .execute(),
  }))
  const common = { kind: 'statement', context: '東都新聞社', valueThen: '1,358,023' }
  expect(threads).toEqual([
    { ...common, statementId: 1n, subject: '支払通知書 202610-1', state: 'open', toldMessageId: expect.any(BigInt) },
    {
      ...common,
      statementId: 2n,
      subject: '支払通知書 202610-1（改訂1）',
      state: 'resolved',
      toldMessageId: messages.at(-1)!.id,
    },
  ])
  expect(messages.map(({ statementId, isByStaff, text }) => [statementId, isByStaff, text])).toEqual([
    [1n, false, 'SSP分：少ない\n違います'],
    [2n, false, 'x'],
    [2n, true, '記載のとおりです'],
  ])
})
