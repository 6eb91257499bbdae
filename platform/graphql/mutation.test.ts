import type { Role } from '@pc/domain/access/role.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, refused } from '@pc/domain/result.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { execute, type GraphQLSchema, parse } from 'graphql'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { editedByOther } from '../audit/edited-by-other.ts'
import { SYSTEM } from '../postgres/database.ts'
import { withClient } from '../postgres/roles.ts'
import { withSignal } from '../request-signal.ts'
import { openField } from './field.ts'
import { finishGraph } from './finish-graph.ts'
import { type GraphContext, openGraph } from './graph.ts'
import { mutation } from './mutation.ts'

interface Renamed {
  id: bigint
  name: string
  at: Date
  runs: number
}

let own: TestDatabase
let rows: TwoOrganizations
let schema: GraphQLSchema
let runs = 0
let preparations = 0
let caller = new AbortController()
beforeAll(async () => {
  own = await testDatabase({ maxConnections: 10 })
  rows = await makeTwoOrganizationsWithRoles()
  schema = exampleGraph()
})
afterAll(() => own?.drop())
beforeEach(() => {
  runs = 0
})

/** Roles are rows that a start seeds. */
async function makeTwoOrganizationsWithRoles() {
  const { ROLES } = await import('@pc/domain/access/role.ts')
  await own.database.inScope(SYSTEM, tx =>
    tx
      .insertInto('roles')
      .values(ROLES.map(name => ({ name })))
      .execute(),
  )
  return makeTwoOrganizations(own.database)
}

function exampleGraph() {
  const { database } = own
  const graph = openGraph()
  const Agreement = graph.objectRef<Renamed>('Agreement').implement({
    on: 'insight:agreement.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      at: t.expose('at', { type: 'DateTime' }),
      runs: t.exposeInt('runs'),
    }),
  })
  graph.queryType({
    fields: t => ({ fine: openField(t, { type: 'String', allow: 'public', resolve: () => 'fine' }) }),
  })
  graph.mutationType({})
  graph.mutationField('rename', t =>
    mutation(t, {
      type: Agreement,
      args: { id: t.arg.id({ required: true }), name: t.arg.string({ required: true }), expectedRevision: t.arg.int() },
      allow: 'write:update',
      on: 'insight:agreement.',
      database,
      retryOn: 'payment/changed-while-closing',
      prepare: async () => {
        preparations += 1
      },
      async run({ id, name, expectedRevision }, { tx, record, recordNothing }) {
        runs += 1
        const before = await tx
          .selectFrom('agreements')
          .select(['id', 'name'])
          .where('id', '=', BigInt(id))
          .forUpdate()
          .executeTakeFirst()
        if (!before) return refused(refusal('record/not-found', ['id']))
        const stale = await editedByOther(tx, {
          resource: 'insight:agreement.',
          rowId: before.id,
          revision: 3,
          expectedRevision,
        })
        if (stale) return refused(stale)
        await tx.updateTable('agreements').set({ name }).where('id', '=', before.id).execute()
        if (name === 'refused') return refused(refusal('record/not-found', ['name']))
        if (name === 'fault') throw new Error('fault')
        if (runs <= Number(/^変更(\d)回$/.exec(name)?.[1])) return refused(refusal('payment/changed-while-closing'))
        if (runs <= Number(/^衝突(\d)回$/.exec(name)?.[1]))
          await sql`do 'begin raise sqlstate ''40001''; end'`.execute(tx)
        if (name === before.name) recordNothing()
        else if (name !== 'silent') {
          const after = { ...before, name, revision: 3 }
          record({ action: 'update', resource: 'insight:agreement.', rowId: before.id, before, after })
        }
        return ok({ id: before.id, name, at: new Date('2026-04-01T00:00:00.123Z'), runs })
      },
    }),
  )
  graph.mutationField('once', t =>
    mutation(t, {
      type: 'String',
      allow: 'write:update',
      on: 'insight:agreement.',
      database,
      keptAnswer: () => 'shown before',
      async run(_args, { recordNothing }) {
        recordNothing()
        return ok('secret')
      },
    }),
  )
  graph.mutationField('prepared', t =>
    mutation(t, {
      type: 'Int',
      args: { value: t.arg.int({ required: true }) },
      allow: 'write:update',
      on: 'insight:agreement.',
      database,
      async prepare({ value }) {
        runs += 1
        await new Promise(setImmediate)
        return value
      },
      async run(_args, { recordNothing }, _context, value) {
        recordNothing()
        return ok(value)
      },
    }),
  )
  graph.mutationField('abandoned', t =>
    mutation(t, {
      type: 'String',
      args: { ending: t.arg.string({ required: true }) },
      allow: 'write:update',
      on: 'insight:agreement.',
      database,
      async run({ ending }, { tx, recordNothing }) {
        recordNothing()
        await tx.updateTable('agreements').set({ name: '誰も待たない' }).execute()
        caller.abort(new Error('the caller has gone'))
        if (ending === 'asks') await sql`select 1`.execute(tx)
        return ok('done')
      },
    }),
  )
  for (const [name, options] of Object.entries({ usual: {}, retrying: { statementTimeoutMs: 61_500 } }))
    graph.mutationField(name, t =>
      mutation(t, {
        type: 'String',
        allow: 'write:update',
        on: 'insight:agreement.',
        database,
        ...options,
        async run(_args, { tx, recordNothing }) {
          recordNothing()
          const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
            tx,
          )
          return ok(rows[0]!.limit)
        },
      }),
    )
  return finishGraph(graph)
}

function contextOf(role: Role): GraphContext {
  const { uid, email } = rows.users[role]
  const { organizationId } = rows.a
  return {
    viewer: { uid, email, roles: [role], organizationId, scope: viewerScope(uid, [role], organizationId) },
    requestId: 'r-1',
    sourceAddress: '192.0.2.9',
    signal: new AbortController().signal,
    permits: new Map(),
  }
}

async function rename(
  args: { id?: bigint; name: string; key?: string; expectedRevision?: number },
  role: Role = 'insight:editor',
) {
  const document = parse(
    'mutation M($id: ID!, $name: String!, $key: String, $expectedRevision: Int) { rename(id: $id, name: $name, expectedRevision: $expectedRevision, idempotencyKey: $key) { id name at runs } }',
  )
  const variableValues = { ...args, id: String(args.id ?? rows.a.agreementIds[0]) }
  const result = await execute({ schema, document, variableValues, contextValue: contextOf(role) })
  const errors = result.errors?.map(error => error.extensions)
  return JSON.parse(JSON.stringify({ data: result.data?.rename ?? null, errors })) as {
    data: { id: string; name: string; runs: number; at: string } | null
    errors?: { code?: string; refusals?: { code: string; data: Record<string, string>; path: string[] }[] }[]
  }
}

const nameNow = (id = rows.a.agreementIds[0] ?? 0n) =>
  own.database.inScope(SYSTEM, async tx => {
    const row = await tx.selectFrom('agreements').select('name').where('id', '=', id).executeTakeFirstOrThrow()
    return row.name
  })
const auditRows = () =>
  own.database.inScope(SYSTEM, tx => tx.selectFrom('auditLog').selectAll().orderBy('seq').execute())

describe('a mutation', () => {
  test('needs its right, and writes its audit row with who, from where and what', async () => {
    expect((await rename({ name: 'x' }, 'insight:viewer')).errors?.[0]?.code).toBe('FORBIDDEN')
    expect(runs).toBe(0)
    const was = await nameNow()
    expect((await rename({ name: '新しい名前' })).data?.name).toBe('新しい名前')
    const last = (await auditRows()).at(-1)
    expect(last).toMatchObject({
      actorUid: rows.users['insight:editor'].uid,
      actingAsUid: null,
      sourceAddress: '192.0.2.9',
      requestId: 'r-1',
      action: 'update',
      resourceName: 'insight:agreement.',
      rowId: String(rows.a.agreementIds[0]),
      before: { name: was },
      after: { name: '新しい名前' },
    })
  })

  test.each(['refused', 'fault', 'silent'])('that ends in %s leaves nothing behind', async name => {
    const [was, audited] = [await nameNow(), (await auditRows()).length]
    const answer = await rename({ name, key: `leaves-nothing-${name}` })
    expect(answer.data).toBeNull()
    expect(await nameNow()).toBe(was)
    expect(await auditRows()).toHaveLength(audited)
    // The key is free again.
    expect((await rename({ name: was, key: `leaves-nothing-${name}` })).data?.name).toBe(was)
  })

  test('that another transaction was in the way of starts again, three times in all; a fault does not', async () => {
    const audited = (await auditRows()).length
    expect((await rename({ name: '衝突2回' })).data).toMatchObject({ name: '衝突2回', runs: 3 })
    expect(await auditRows()).toHaveLength(audited + 1)
    runs = 0
    expect((await rename({ name: '衝突3回' })).data).toBeNull()
    expect([runs, await nameNow()]).toEqual([3, '衝突2回'])
    runs = 0
    expect((await rename({ name: 'fault' })).data).toBeNull()
    expect(runs).toBe(1)
    expect(await auditRows()).toHaveLength(audited + 1)
  })

  test('what was prepared and no longer holds is prepared again, three times in all', async () => {
    preparations = 0
    expect((await rename({ name: '変更2回' })).data).toMatchObject({ name: '変更2回', runs: 3 })
    expect(preparations).toBe(3)
    runs = 0
    expect((await rename({ name: '変更3回' })).errors).toMatchObject([{ isConflict: true }])
    expect([runs, preparations, await nameNow()]).toEqual([3, 6, '変更2回'])
  })

  test('has the time that it asks for, otherwise that of every transaction', async () => {
    const answer = await execute({
      schema,
      document: parse('mutation { usual retrying }'),
      contextValue: contextOf('insight:editor'),
    })
    expect(answer).toEqual({ data: { usual: '10s', retrying: '61500ms' } })
  })

  test.each(['asks', 'commits'])('that nobody waits for any more %s nothing', async ending => {
    caller = new AbortController()
    const [was, audited] = [await nameNow(), (await auditRows()).length]
    const document = parse(`mutation { abandoned(ending: "${ending}", idempotencyKey: "abandoned") }`)
    const work = () => execute({ schema, document, contextValue: contextOf('insight:editor') })
    const { errors } = await withSignal(caller.signal, work)
    expect(errors?.map(error => error.message)).toEqual(['the caller has gone'])
    expect([await nameNow(), (await auditRows()).length]).toEqual([was, audited])
  })

  test('declared without mutation() does not compile, and the graph is not built', () => {
    const graph = openGraph()
    graph.queryType({ fields: t => ({ a: openField(t, { type: 'Int', allow: 'public', resolve: () => 1 }) }) })
    graph.mutationType({
      fields: t => ({
        // @ts-expect-error a mutation needs what mutation() sets
        bare: t.int({ resolve: () => 1 }),
        // @ts-expect-error reading fields are no mutations
        reading: openField(t, { type: 'Int', allow: 'signed-in', resolve: () => 1 }),
      }),
    })
    expect(() => finishGraph(graph)).toThrow(/Mutation\.bare: .*\nMutation\.reading: /)
  })
})

describe('an idempotency key', () => {
  test('gives 20 parallel submissions one effect and one answer', async () => {
    const audited = (await auditRows()).length
    const answers = await Promise.all(Array.from({ length: 20 }, () => rename({ name: '一度だけ', key: 'parallel' })))
    expect(new Set(answers.map(answer => JSON.stringify(answer)))).toEqual(
      new Set([
        JSON.stringify({
          data: {
            id: String(rows.a.agreementIds[0]),
            name: '一度だけ',
            at: '2026-04-01T00:00:00.123Z',
            runs: 1,
          },
        }),
      ]),
    )
    expect(runs).toBe(1)
    expect(await auditRows()).toHaveLength(audited + 1)
  })

  test('keeps neither answer nor audit row of a commit that fails, and the next submission has its effect', async () => {
    const audited = (await auditRows()).length
    const attempt = async () => {
      const { data, errors } = await rename({ name: '確定で失敗', key: 'failing-commit' })
      return data?.name ?? errors?.[0]?.refusals ?? 'fault'
    }
    const asAdmin = (text: string) => withClient(own.adminUrl, client => client.query(text))
    await asAdmin(`create function public.fail() returns trigger language plpgsql as $$ begin raise 'at the commit'; end $$;
      create constraint trigger fails after update on agreements deferrable initially deferred for each row execute function public.fail()`)
    expect([await attempt(), await attempt()]).toEqual(['fault', 'fault'])
    await asAdmin('drop trigger fails on agreements; drop function public.fail()')
    await asAdmin(`create function public.cut() returns trigger language plpgsql security definer as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create trigger cuts after update of answer on idempotency_keys execute function public.cut()`)
    expect(await attempt()).toBe('fault')
    await asAdmin('drop trigger cuts on idempotency_keys; drop function public.cut()')
    expect(await nameNow()).not.toBe('確定で失敗')
    expect(await auditRows()).toHaveLength(audited)
    expect([await attempt(), await attempt()]).toEqual(['確定で失敗', '確定で失敗'])
    expect(await auditRows()).toHaveLength(audited + 1)
  })

  test('with another body is refused, for another person or without reuse it is not', async () => {
    await rename({ name: '甲', key: 'body' })
    const other = await rename({ name: '乙', key: 'body' })
    expect(other.errors?.[0]?.refusals?.[0]).toMatchObject({ code: 'idempotency/key-reused', path: ['idempotencyKey'] })
    expect((await rename({ name: '乙', key: 'body' }, 'insight:admin')).data?.name).toBe('乙')
    expect((await rename({ name: '丙', key: 'x'.repeat(201) })).errors?.[0]?.refusals?.[0]?.code).toBe(
      'idempotency/key-invalid',
    )
  })

  test('keeps of an answer with a secret what the mutation says', async () => {
    const ask = async () => {
      const document = parse('mutation { once(idempotencyKey: "secret") }')
      const { data } = await execute({ schema, document, contextValue: contextOf('insight:editor') })
      return data?.once
    }
    expect(await ask()).toBe('secret')
    expect(await ask()).toBe('shown before')
    const kept = await withClient(own.adminUrl, client =>
      client.query(`select answer::text as text from idempotency_keys where operation = 'once'`),
    )
    expect(kept.rows).toHaveLength(1)
    expect(kept.rows[0].text).not.toContain('secret')
  })

  test('comes before what is prepared: repetitions at once and later prepare nothing', async () => {
    const ask = async (value: number, key?: string) => {
      const document = parse('mutation M($value: Int!, $key: String) { prepared(value: $value, idempotencyKey: $key) }')
      const variableValues = { value, key }
      const { data, errors } = await execute({
        schema,
        document,
        variableValues,
        contextValue: contextOf('insight:editor'),
      })
      const [refused] = (errors?.[0]?.extensions.refusals ?? []) as { code: string }[]
      return data?.prepared ?? refused?.code
    }
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => ask(7, 'prepared')))).toEqual([7, 7, 7, 7, 7])
    expect([await ask(7, 'prepared'), await ask(8, 'prepared'), runs]).toEqual([7, 'idempotency/key-reused', 1])
    expect([await ask(8, 'x'.repeat(201)), runs]).toEqual(['idempotency/key-invalid', 1])
    expect([await ask(8), await ask(8), runs]).toEqual([8, 8, 3])
  })

  test('is kept for seven days', async () => {
    await rename({ name: '古い', key: 'old' })
    await withClient(own.adminUrl, client =>
      client.query(`update idempotency_keys set created_at = now() - interval '6 days 23 hours' where key = 'old'`),
    )
    expect((await rename({ name: '別', key: 'old' })).errors?.[0]?.refusals?.[0]?.code).toBe('idempotency/key-reused')
    await withClient(own.adminUrl, client =>
      client.query(`update idempotency_keys set created_at = now() - interval '7 days 1 hour' where key = 'old'`),
    )
    expect((await rename({ name: '別', key: 'old' })).data?.name).toBe('別')
  })
})

test('the second of two editors is refused who changed what, and nothing is overwritten', async () => {
  await rename({ name: '先の人', expectedRevision: 3 })
  const second = await rename({ name: '後の人', expectedRevision: 2 }, 'insight:admin')
  expect(second.errors?.[0]?.refusals?.[0]).toMatchObject({
    code: 'record/edited-by-other',
    path: ['expectedRevision'],
    data: { editedBy: 'insight.editor@example.jp', editedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/) },
  })
  expect(second.errors?.[0]?.refusals?.[0]?.data.changedFields?.split(',')).toContain('name')
  expect(await nameNow()).toBe('先の人')
})
