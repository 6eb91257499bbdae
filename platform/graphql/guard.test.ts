import type { Role } from '@pc/domain/access/role.ts'
import { type Viewer, viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { ok } from '@pc/domain/result.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { execute, GraphQLError, parse } from 'graphql'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../postgres/database.ts'
import { field, openField } from './field.ts'
import { finishGraph } from './finish-graph.ts'
import { type GraphContext, openGraph } from './graph.ts'
import { demandNoImpersonation, demandPermit, demandReader, demandStepUp, demandViewer, findPermit } from './guard.ts'
import { mutation } from './mutation.ts'

const UID = '01900000-0000-7000-8000-000000000001'
const tested = await testDatabase()
afterAll(() => tested.drop())

function contextOf(roles: readonly Role[] | null, more: Partial<Viewer> = {}): GraphContext {
  const viewer = roles && {
    uid: UID,
    email: 'a@example.jp',
    roles,
    organizationId: 5n,
    scope: viewerScope(UID, roles, 5n),
    ...more,
  }
  return {
    viewer,
    requestId: 'r-1',
    sourceAddress: '192.0.2.1',
    signal: new AbortController().signal,
    permits: new Map(),
  }
}

/** Code, text and what else the error says; undefined when nothing is thrown. */
function refusalOf(work: () => unknown): { readonly message: string; readonly [name: string]: unknown } | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { message: error.message, ...error.extensions }
  }
}

describe('a permit', () => {
  test('is given for the right, with its rows, and made once for a request', () => {
    const context = contextOf(['insight:publisher_admin'])
    const permit = demandPermit(context, 'read:list', 'insight:agreement.')
    expect(permit.scope).toMatchObject({ kind: 'organization', organizationId: 5n })
    expect(demandPermit(context, 'read:list', 'insight:agreement.')).toBe(permit)
    expect(findPermit(context, 'read:list', 'insight:agreement.')).toBe(permit)
    expect(demandPermit(context, 'read:show', 'insight:agreement.')).not.toBe(permit)
    expect([...context.permits.keys()]).toEqual(['read:list insight:agreement.', 'read:show insight:agreement.'])
  })
  test('is refused in words that name the action and the thing', () => {
    const messageOf = (action: Parameters<typeof demandPermit>[1]) =>
      refusalOf(() => demandPermit(contextOf([]), action, 'insight:agreement.'))
    expect(messageOf('read:list')).toEqual({ message: '契約を一覧で表示できません。', code: 'FORBIDDEN' })
    expect(messageOf('read:show')?.message).toBe('契約を表示できません。')
    expect(messageOf('write:create')?.message).toBe('契約を作成できません。')
    expect(messageOf('write:update')?.message).toBe('契約を変更できません。')
    expect(messageOf('write:delete')?.message).toBe('契約を削除できません。')
  })
  test('without one a field that only asks goes on; nobody signed in is refused before any right', () => {
    expect(findPermit(contextOf([]), 'read:list', 'insight:agreement.')).toBeUndefined()
    expect(findPermit(contextOf(null), 'read:list', 'insight:agreement.')).toBeUndefined()
    expect(refusalOf(() => demandPermit(contextOf(null), 'read:list', 'insight:agreement.'))).toEqual({
      message: 'サインインが必要です。もう一度サインインしてください。',
      code: 'UNAUTHENTICATED',
    })
    expect(demandViewer(contextOf([])).uid).toBe(UID)
  })
})

describe('reading objects of a type', () => {
  test('either reading right is enough, none is not', () => {
    expect(refusalOf(() => demandReader(contextOf(['insight:viewer']), 'insight:agreement.'))).toBeUndefined()
    expect(refusalOf(() => demandReader(contextOf(['iam:admin']), 'insight:agreement.'))).toEqual({
      message: '契約を表示できません。',
      code: 'FORBIDDEN',
    })
    expect(refusalOf(() => demandReader(contextOf(null), 'insight:agreement.'))?.code).toBe('UNAUTHENTICATED')
  })
  test.each(['read:show insight:agreement.', 'read:list insight:agreement.'])('%s alone', key => {
    const context = contextOf([])
    for (const action of ['read:show', 'read:list'] as const)
      context.permits.set(`${action} insight:agreement.`, undefined)
    context.permits.set(key, demandPermit(contextOf(['admin']), 'read:show', 'insight:agreement.'))
    expect(refusalOf(() => demandReader(context, 'insight:agreement.'))).toBeUndefined()
  })
})

describe('impersonation', () => {
  const impersonatedBy = { uid: 'staff', email: 's@example.jp', reason: 'x', startedAtMs: 0, endsAtMs: 1 }
  test('changes nothing, and says as whom', () => {
    expect(refusalOf(() => demandNoImpersonation(contextOf(['admin'], { impersonatedBy })))).toEqual({
      message: 'a@example.jpとして表示している間は、変更できません。表示を終了してから操作してください。',
      code: 'FORBIDDEN',
      isViewingAs: true,
    })
    expect(refusalOf(() => demandNoImpersonation(contextOf(['admin'])))).toBeUndefined()
    expect(refusalOf(() => demandNoImpersonation(contextOf(null)))?.code).toBe('UNAUTHENTICATED')
  })
})

describe('step-up', () => {
  const stepUp = (sessionKey: string | undefined) =>
    demandStepUp(contextOf(['admin'], sessionKey === undefined ? {} : { sessionKey }), tested.database).then(
      () => 'given',
      (error: GraphQLError) => ({ message: error.message, ...error.extensions }),
    )
  const use = (sessionUid: string, steppedUpAt: string) =>
    tested.database.inScope(SYSTEM, async tx => {
      await sql`insert into users (uid, email) values (${UID}::uuid, 'a@example.jp') on conflict do nothing`.execute(tx)
      // Signed in an hour ago, stepped up at that moment.
      await sql`insert into idp_payloads (model, id, payload, session_uid, expires_at)
        values ('Session', ${sessionUid}, jsonb_build_object('loginTs', extract(epoch from now())::bigint - 3600),
          ${sessionUid}, now() + interval '1 hour')`.execute(tx)
      await sql`insert into idp_session_uses (session_uid, uid, device, address, last_used_at, proved_at)
        values (${sessionUid}, ${UID}::uuid, '', '', now(), ${sql.raw(steppedUpAt)})`.execute(tx)
    })
  test('is required of a session of ours without a recent step-up', async () => {
    const requested = {
      message: '安全のため、もう一度本人確認を行ってください。',
      code: 'FORBIDDEN',
      needsStepUp: true,
    }
    expect(await stepUp('unknown-session')).toEqual(requested)
    await use('old', "now() - interval '11 minutes'")
    await use('fresh', "now() - interval '9 minutes'")
    expect(await stepUp('old')).toEqual(requested)
    expect(await stepUp('fresh')).toBe('given')
  })
  test('is not required where there is no session; a name that only ends like a foreign one is ours', async () => {
    expect(await stepUp(undefined)).toBe('given')
    expect(await stepUp('not-external:abc')).toMatchObject({ needsStepUp: true })
    await expect(demandStepUp(contextOf(null), tested.database)).rejects.toThrow('サインイン')
  })
})

describe('step-up, at an external issuer', () => {
  const stepUp = (signedInAtMs: number | undefined, more: Partial<Viewer> = {}) =>
    demandStepUp(
      contextOf(['admin'], {
        sessionKey: 'external:x',
        ...more,
        ...(signedInAtMs === undefined ? {} : { signedInAtMs }),
      }),
      tested.database,
    ).then(
      () => 'given',
      (error: GraphQLError) => ({ message: error.message, ...error.extensions }),
    )
  const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
  test('is a sign-in there a moment ago; what the issuer does not say is no step-up, and the refusal says what to do', async () => {
    expect(await stepUp(minutesAgo(9))).toBe('given')
    const requested = { code: 'FORBIDDEN', needsStepUp: true }
    expect(await stepUp(minutesAgo(11))).toEqual({
      ...requested,
      message: '安全のため、会社のアカウントでもう一度サインインしてください。',
    })
    expect(await stepUp(undefined)).toMatchObject({
      ...requested,
      message: expect.stringContaining('auth_timeを送る設定'),
    })
  })
  test('is of the required level, however fresh it is', async () => {
    const requested = { code: 'FORBIDDEN', needsStepUp: true }
    const low = { lacksStepUpAcr: true } as const
    expect(await stepUp(minutesAgo(1), low)).toMatchObject({
      ...requested,
      message: expect.stringContaining('acrを送る設定'),
    })
    expect(await stepUp(minutesAgo(11), low)).toMatchObject(requested)
    expect(await stepUp(undefined, low)).toMatchObject({
      ...requested,
      message: expect.stringContaining('auth_timeを送る設定'),
    })
  })
})

describe('a change', () => {
  const graph = openGraph()
  graph.queryType({ fields: t => ({ one: openField(t, { type: 'Int', allow: 'public', resolve: () => 1 }) }) })
  graph.mutationType({})
  const change = (name: string, more: { isAllowedWhileImpersonating?: true; needsStepUp?: true }) =>
    graph.mutationField(name, t =>
      mutation(t, {
        type: 'String',
        nullable: true,
        allow: 'write:update',
        on: 'insight:agreement.',
        database: tested.database,
        ...more,
        run: async (_args, write) => {
          write.recordNothing()
          return ok('done')
        },
      }),
    )
  change('plain', {})
  change('endView', { isAllowedWhileImpersonating: true })
  change('lasting', { needsStepUp: true })
  const schema = finishGraph(graph)
  const ask = async (name: string, more: Partial<Viewer>) => {
    const document = parse(`mutation { ${name} }`)
    const answer = await execute({ schema, document, contextValue: contextOf(['admin'], more) })
    return answer.errors?.[0]?.extensions ?? answer.data?.[name]
  }
  const impersonatedBy = { uid: 'staff', email: 's@example.jp', reason: 'x', startedAtMs: 0, endsAtMs: 1 }

  test('is refused while somebody is viewed as, but for what ends the view', async () => {
    expect(await ask('plain', {})).toBe('done')
    expect(await ask('plain', { impersonatedBy })).toEqual({ code: 'FORBIDDEN', isViewingAs: true })
    expect(await ask('endView', { impersonatedBy })).toBe('done')
    expect(await ask('endView', {})).toBe('done')
  })
  test('that lasts asks for a step-up, others do not', async () => {
    expect(await ask('lasting', { sessionKey: 'without-step-up' })).toEqual({ code: 'FORBIDDEN', needsStepUp: true })
    expect(await ask('plain', { sessionKey: 'without-step-up' })).toBe('done')
    expect(await ask('lasting', { sessionKey: 'external:x', signedInAtMs: Date.now() })).toBe('done')
  })
})

describe('a graph is not built', () => {
  const withAgreement = () => {
    const graph = openGraph()
    const Agreement = graph.objectRef<{ id: string }>('Agreement').implement({
      on: 'insight:agreement.',
      fields: t => ({ id: t.exposeString('id') }),
    })
    graph.queryType({})
    graph.queryField('agreement', t =>
      field(t, {
        type: Agreement,
        nullable: true,
        allow: 'read:show',
        on: 'insight:agreement.',
        resolve: () => ({ id: '1' }),
      }),
    )
    return graph
  }
  const staffOnly = (allow: 'read:show' | 'read:list', on: 'insight:in_house_note.' | 'insight:in_house_field.') => {
    const graph = withAgreement()
    graph.objectField('Agreement' as never, 'notes', t =>
      field(t, { type: 'String', nullable: true, allow, on, resolve: () => 'secret' }),
    )
    return () => finishGraph(graph)
  }
  test('with a staff-only field under another right or another action', () => {
    const text = 'Agreement.notes: is staff-only and must be declared with read:show on insight:in_house_note.'
    expect(staffOnly('read:show', 'insight:in_house_field.')).toThrow(text)
    expect(staffOnly('read:list', 'insight:in_house_note.')).toThrow(text)
    expect(staffOnly('read:show', 'insight:in_house_note.')).not.toThrow()
  })
  test('with a mutation that is not declared as one; all problems are named at once', () => {
    const graph = withAgreement()
    graph.mutationType({
      fields: t => ({
        change: t.string({
          resolve: () => 'x',
          extensions: { access: { allow: 'write:update', on: 'insight:agreement.' } } as never,
        }),
        other: t.string({ resolve: () => 'x', extensions: { isMutation: true } as never }),
      }),
    })
    expect(() => finishGraph(graph)).toThrow(
      'The graph has unguarded parts:\nMutation.change: declare it with mutation()\nMutation.other: declare it with mutation()',
    )
  })
  test('but a field of the type itself may be without a rule, and a list of it inherits what its field was checked for', async () => {
    const graph = withAgreement()
    const List = graph.objectRef<{ total: number }>('AgreementList').implement({
      on: 'inherits',
      fields: t => ({ total: t.exposeInt('total') }),
    })
    graph.queryField('open', t => openField(t, { type: List, allow: 'public', resolve: () => ({ total: 3 }) }))
    const answer = await execute({
      schema: finishGraph(graph),
      document: parse('{ open { total } }'),
      contextValue: contextOf(null),
    })
    expect(answer).toEqual({ data: { open: { total: 3 } } })
  })
  test('a field that was checked for its own resource is not checked for reading it as well', async () => {
    const graph = withAgreement()
    graph.queryField('changed', t =>
      field(t, {
        type: 'Agreement' as never,
        nullable: true,
        allow: 'write:update',
        on: 'insight:agreement.',
        resolve: () => ({ id: '7' }) as never,
      }),
    )
    graph.objectField('Agreement' as never, 'next', t =>
      t.field({ type: 'Agreement' as never, nullable: true, resolve: () => ({ id: '8' }) as never }),
    )
    const context = contextOf([])
    const permit = demandPermit(contextOf(['admin']), 'write:update', 'insight:agreement.')
    context.permits.set('write:update insight:agreement.', permit)
    for (const action of ['read:show', 'read:list']) context.permits.set(`${action} insight:agreement.`, undefined)
    const answer = await execute({
      schema: finishGraph(graph),
      document: parse('{ changed { id next { id } } }'),
      contextValue: context,
    })
    expect(answer).toEqual({ data: { changed: { id: '7', next: { id: '8' } } } })
  })
})
