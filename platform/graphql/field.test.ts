import type { Role } from '@pc/domain/access/role.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { execute, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { field, openField } from './field.ts'
import { finishGraph } from './finish-graph.ts'
import { type GraphContext, openGraph } from './graph.ts'

interface Note {
  id: bigint
  text: string
}

function exampleGraph() {
  const graph = openGraph()
  const Note = graph.objectRef<Note>('Note').implement({
    on: 'insight:dividend.',
    fields: t => ({ id: t.expose('id', { type: 'ID' }), text: t.exposeString('text') }),
  })
  const Agreement = graph.objectRef<{ id: bigint; feePaidBy: string }>('Agreement').implement({
    on: 'insight:agreement.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      feePaidBy: field(t, {
        type: 'String',
        nullable: true,
        allow: 'read:show',
        on: 'insight:in_house_field.',
        resolve: (agreement, _args, _context, permit) => `${agreement.feePaidBy} by ${permit.scope.kind}`,
      }),
      note: t.field({ type: Note, nullable: true, resolve: () => ({ id: 7n, text: 'お知らせ' }) }),
    }),
  })
  graph.queryType({
    fields: t => ({
      agreement: field(t, {
        type: Agreement,
        nullable: true,
        args: { id: t.arg.id({ required: true }), count: t.arg.int() },
        allow: 'read:show',
        on: 'insight:agreement.',
        resolve: (_parent, args, _context, permit) => ({
          id: BigInt(args.id) + BigInt(args.count ?? 0),
          feePaidBy: permit.scope.kind,
        }),
      }),
      whoAmI: openField(t, { type: 'String', allow: 'signed-in', resolve: (_p, _a, _c, viewer) => viewer.email }),
      motd: openField(t, {
        type: 'String',
        nullable: true,
        allow: 'public',
        resolve: (_p, _a, _c, viewer) => viewer?.email ?? null,
      }),
    }),
  })
  return graph
}

function contextOf(roles: readonly Role[] | null): GraphContext {
  const viewer = roles && {
    uid: 'u-1',
    email: 'a@example.jp',
    roles,
    organizationId: 5n,
    scope: viewerScope('u-1', roles, 5n),
  }
  return {
    viewer,
    requestId: 'r-1',
    sourceAddress: '192.0.2.1',
    signal: new AbortController().signal,
    permits: new Map(),
  }
}

async function ask(query: string, roles: readonly Role[] | null) {
  const result = await execute({
    schema: finishGraph(exampleGraph()),
    document: parse(query),
    contextValue: contextOf(roles),
  })
  return { data: result.data, errors: result.errors?.map(error => [error.extensions.code, error.path?.join('.')]) }
}

describe('a guarded field', () => {
  test('answers with a permit that knows its rows', async () => {
    expect(await ask('{ agreement(id: 3, count: 1) { id feePaidBy } }', ['insight:editor'])).toEqual({
      data: { agreement: { id: '4', feePaidBy: 'all by all' } },
      errors: undefined,
    })
  })
  test('is null with FORBIDDEN at its path when it is staff-only', async () => {
    expect(await ask('{ agreement(id: 3) { id feePaidBy } }', ['insight:publisher_admin'])).toEqual({
      data: { agreement: { id: '3', feePaidBy: null } },
      errors: [['FORBIDDEN', 'agreement.feePaidBy']],
    })
  })
  test('refuses the root field without the right, and before anything else when nobody is signed in', async () => {
    expect(await ask('{ agreement(id: 3) { id } }', ['iam:admin'])).toEqual({
      data: { agreement: null },
      errors: [['FORBIDDEN', 'agreement']],
    })
    expect((await ask('{ agreement(id: 3) { id } whoAmI }', null)).errors?.map(([code]) => code)).toContain(
      'UNAUTHENTICATED',
    )
  })
  test('guards the way to another resource even where the field forgot it', async () => {
    const query = '{ agreement(id: 3) { note { text } } }'
    expect(await ask(query, ['insight:publisher_admin'])).toEqual({
      data: { agreement: { note: null } },
      errors: [['FORBIDDEN', 'agreement.note']],
    })
    expect((await ask(query, ['insight:viewer'])).data).toEqual({ agreement: { note: { text: 'お知らせ' } } })
  })
  test('says who may have an open field', async () => {
    expect(await ask('{ whoAmI motd }', [])).toEqual({
      data: { whoAmI: 'a@example.jp', motd: 'a@example.jp' },
      errors: undefined,
    })
    expect(await ask('{ motd }', null)).toEqual({ data: { motd: null }, errors: undefined })
    const { errors } = await ask('{ whoAmI }', null)
    expect(JSON.stringify(errors)).toContain('UNAUTHENTICATED')
  })
})

describe('a graph with an unguarded part is not built', () => {
  test('a root field without a rule', () => {
    const graph = openGraph()
    // @ts-expect-error a root field without a rule does not even compile
    graph.queryType({ fields: t => ({ open: t.string({ resolve: () => 'x' }) }) })
    expect(() => finishGraph(graph)).toThrow('Query.open: has no access rule')
  })
  test('a type without a resource', () => {
    const graph = exampleGraph()
    // @ts-expect-error a type without a resource does not even compile
    const Loose = graph.objectRef<{ id: string }>('Loose').implement({ fields: t => ({ id: t.exposeString('id') }) })
    graph.queryField('loose', t => openField(t, { type: Loose, allow: 'public', resolve: () => ({ id: 'x' }) }))
    expect(() => finishGraph(graph)).toThrow('Loose: names no resource')
  })
  test('a type of a resource that does not exist', () => {
    const graph = exampleGraph()
    const on = 'insight:nothing.' as 'insight:agreement.'
    const Odd = graph.objectRef<{ id: string }>('Odd').implement({ on, fields: t => ({ id: t.exposeString('id') }) })
    graph.queryField('odd', t => openField(t, { type: Odd, allow: 'public', resolve: () => ({ id: 'x' }) }))
    expect(() => finishGraph(graph)).toThrow('Odd: names no resource')
  })
  test('an interface or a union', () => {
    const graph = exampleGraph()
    const Some = graph.interfaceRef<{ id: string }>('Some').implement({ fields: t => ({ id: t.exposeString('id') }) })
    graph.queryField('some', t => openField(t, { type: Some, nullable: true, allow: 'public', resolve: () => null }))
    expect(() => finishGraph(graph)).toThrow('Some: interfaces and unions have no access rule')
  })
  test('a staff-only field that is simply exposed', () => {
    const graph = exampleGraph()
    graph.objectField('Agreement' as never, 'notes', t => t.string({ nullable: true, resolve: () => 'secret' }))
    expect(() => finishGraph(graph)).toThrow('Agreement.notes: is staff-only')
  })
  test('a guarded field that cannot be null', () => {
    const graph = exampleGraph()
    graph.objectField('Agreement' as never, 'margin', t =>
      field(t, { type: 'String', allow: 'read:show', on: 'insight:revenue_detail.', resolve: () => 'x' }),
    )
    expect(() => finishGraph(graph)).toThrow('Agreement.margin: is guarded, so it must be nullable')
  })
})

describe('a root list without a limit of its own', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => n)
  const graph = openGraph()
  graph.queryType({
    fields: t => ({
      many: openField(t, {
        type: ['Int'],
        allow: 'public',
        args: { count: t.arg.int({ required: true }) },
        maxRows: 5,
        resolve: (_parent, args) => (Object.keys(args).length === 1 ? rows(args.count) : []),
      }),
      usual: openField(t, { type: ['Int'], allow: 'public', resolve: () => rows(1_001) }),
      guarded: openField(t, { type: ['Int'], allow: 'signed-in', resolve: () => [] }),
    }),
  })
  const schema = finishGraph(graph)
  const contextValue = { viewer: null, permits: new Map() } as unknown as GraphContext
  const ask = async (query: string) => {
    const { data, errors } = await execute({ schema, document: parse(`{ a: ${query} }`), contextValue })
    const [refused] = (errors?.[0]?.extensions.refusals ?? []) as { code: string }[]
    return data?.a ?? refused?.code ?? errors?.[0]?.extensions.code
  }
  test('has one: more rows are refused, and read in parts', async () => {
    expect(await ask('many(count: 5)')).toEqual([0, 1, 2, 3, 4])
    expect(await ask('many(count: 6)')).toBe('list/too-many-rows')
    expect(await ask('many(count: 6, limit: 5)')).toEqual([0, 1, 2, 3, 4])
    expect(await ask('many(count: 6, offset: 5)')).toEqual([5])
    expect(await ask('many(count: 6, limit: 2, offset: 3)')).toEqual([3, 4])
    expect(await ask('many(count: 6, limit: null, offset: null)')).toBe('list/too-many-rows')
    expect(await ask('usual')).toBe('list/too-many-rows')
  })
  test('is requested soundly, by those who may', async () => {
    for (const limit of [0, -1, 6]) expect(await ask(`many(count: 1, limit: ${limit})`)).toBe('list/limit-out-of-range')
    expect(await ask('many(count: 1, offset: -1)')).toBe('list/offset-out-of-range')
    expect(await ask('guarded(limit: 0)')).toBe('UNAUTHENTICATED')
  })
})
