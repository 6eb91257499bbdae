import type { Role } from '@pc/domain/access/role.ts'
import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Wiring } from '../../apps/server/wire-dependencies.ts'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from './system-under-test.ts'

/** Who sends a request: a user for each role, and an administrator of the other organisation (`ofB`). */
type Asker = Role | 'ofB'
interface AnsweredRefusal {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The insight API over HTTP with real database, permissions and jobs, for one test file. */
export function apiFixture(replaced: () => Promise<Partial<Pick<Wiring, 'safeFetch'>>> = async () => ({})) {
  let system: SystemUnderTest
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    system = await startSystemUnderTest({}, await replaced())
    for (const role of [...rolesOf('staff'), ...rolesOf('publisher')])
      tokens.set(role, await system.tokenOf(system.rows.users[role].email))
    tokens.set('ofB', await system.tokenOf(system.rows.users.ofB.email))
  })
  afterAll(() => system?.close())
  /** The raw answer. */
  const send = (as: string, query: string, variables: object = {}): Promise<Answer> =>
    system.ask('insight', query, tokens.get(as), variables)
  return {
    get system() {
      return system
    },
    send,
    /** The data of an answer; fails the test if it has errors. */
    async ask<T>(as: Asker, query: string, variables: object = {}): Promise<T> {
      const answer = await send(as, query, variables)
      if (answer.json.errors) throw new Error(answer.text)
      return answer.json.data as T
    },
    /** `code path` of every refusal, or the code of another error. */
    async refusals(as: Asker, query: string, variables: object = {}): Promise<string[]> {
      const { json } = await send(as, query, variables)
      return (json.errors ?? []).flatMap(error => {
        const list = (error.extensions.refusals ?? []) as readonly AnsweredRefusal[]
        for (const one of list) expect(one.message).not.toMatch(/undefined|\[object/)
        return list.length > 0 ? list.map(one => `${one.code} ${one.path.join('.')}`) : [error.extensions.code]
      })
    },
    /** Audit log entries of a row, oldest first. */
    audited: (resource: string, rowId: unknown) =>
      system.dependencies.database.inScope(SYSTEM, tx =>
        tx
          .selectFrom('auditLog')
          .select(['action', 'before', 'after'])
          .where('resourceName', '=', resource)
          .where('rowId', '=', String(rowId))
          .orderBy('seq')
          .execute(),
      ),
    /**
     * Number of audit entries: changes, or reads of full account numbers (`read-in-full`). Downloads count as neither.
     */
    auditCount: (action: 'read' | 'change' = 'change') =>
      system.dependencies.database.inScope(SYSTEM, async tx => {
        const rows = tx.selectFrom('auditLog').where('action', action === 'read' ? '=' : '<>', 'read-in-full')
        const counted = await rows.select(eb => eb.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
        return Number(counted.count)
      }),
  }
}

/** `[code, path]` of the refusals of an answer. */
export function refusalsOf(answer: Answer): [string, string][] {
  const refusals = (answer.json.errors?.[0]?.extensions.refusals ?? []) as readonly AnsweredRefusal[]
  return refusals.map(({ code, path }) => [code, path.join('.')])
}

/** The data of an answer without errors. */
export function dataOf<T = Record<string, never>>(answer: Answer): T {
  expect(answer.json.errors, answer.text).toBeUndefined()
  return answer.json.data as T
}
