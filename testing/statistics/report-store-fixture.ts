import type { GranularAction } from '@pc/domain/access/action.ts'
import { decide, type Permit } from '@pc/domain/access/decide.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'

export const REPORT_MEDIA = [1n, 2n, 9n]
/** Final months as `medium YYYY-MM`. */
export const CLOSED_MONTHS: ReadonlySet<string> = new Set([
  '1 2025-12',
  '1 2026-01',
  '2 2025-12',
  '9 2025-12',
  '9 2026-02',
])
const UIDS = {
  admin: '00000000-0000-7000-8000-000000000001',
  editor: '00000000-0000-7000-8000-000000000002',
  idleEditor: '00000000-0000-7000-8000-000000000003',
  staff: '00000000-0000-7000-8000-000000000004',
}
const ROLE_OF = {
  admin: 'insight:publisher_admin',
  editor: 'insight:publisher_editor',
  idleEditor: 'insight:publisher_editor',
  staff: 'insight:viewer',
} as const satisfies Record<keyof typeof UIDS, Role>
export type ReportPerson = keyof typeof UIDS

export interface ReportFixture {
  readonly organizationIds: readonly bigint[]
  readonly publishers: readonly { readonly id: bigint; readonly organizationId: bigint }[]
  /** Agreements of the editor as `medium publisher`. */
  readonly editorPairs: ReadonlySet<string>
  permitOf<A extends GranularAction, R extends ResourceName>(person: ReportPerson, action: A, on: R): Permit<A, R>
  /**
   * Whether a person may see rows of a publisher on a medium; written by hand, independently of the product's rules.
   */
  maySee(person: ReportPerson, mediumId: unknown, publisherId: unknown): boolean
}

/**
 * Two organisations with four publishers each, an agreement per organisation and medium, and rules for some publishers.
 * Everybody except staff belongs to the first organisation; the editor is assigned to its agreements on two media.
 */
export async function makeReportFixture(database: Database): Promise<ReportFixture> {
  const organizationIds: bigint[] = []
  const publishers: { id: bigint; organizationId: bigint }[] = []
  const editorPairs = new Set<string>()
  await database.inScope(SYSTEM, async tx => {
    await tx
      .insertInto('media')
      .values(REPORT_MEDIA.map(id => ({ id, name: `メディア${id}` })))
      .execute()
    for (const name of ['あおい新聞社', 'みどり出版']) {
      const { id: organizationId } = await tx
        .insertInto('organizations')
        .values({ name })
        .returning('id')
        .executeTakeFirstOrThrow()
      organizationIds.push(organizationId)
      for (let index = 0; index < 4; index += 1) {
        const { id } = await tx
          .insertInto('publishers')
          .values({ organizationId, name: `${name}${index}` })
          .returning('id')
          .executeTakeFirstOrThrow()
        publishers.push({ id, organizationId })
      }
    }
    const [own] = organizationIds
    await tx
      .insertInto('users')
      .values(
        Object.entries(UIDS).map(([name, uid]) => ({
          uid,
          email: `${name.toLowerCase()}@example.jp`,
          organizationId: name === 'staff' ? null : own!,
        })),
      )
      .execute()
    for (const organizationId of organizationIds) {
      for (const mediumId of REPORT_MEDIA) {
        const { id: agreementId } = await tx
          .insertInto('agreements')
          .values({ organizationId, mediumId, name: '契約', code: `C-${organizationId}-${mediumId}` })
          .returning('id')
          .executeTakeFirstOrThrow()
        const parties = publishers.filter(
          (publisher, index) => publisher.organizationId === organizationId && (index + Number(mediumId)) % 2 === 0,
        )
        await tx
          .insertInto('agreementPublisherRules')
          .values(parties.map(({ id }) => ({ agreementId, publisherId: id, mediumId, paymentRate: 5000 })))
          .execute()
        if (organizationId !== own || mediumId === 9n) continue
        await tx.insertInto('userAgreements').values({ uid: UIDS.editor, agreementId }).execute()
        for (const { id } of parties) editorPairs.add(`${mediumId} ${id}`)
      }
    }
    await tx
      .insertInto('monthClosings')
      .values(
        [...CLOSED_MONTHS].map(each => ({
          mediumId: BigInt(each.split(' ')[0]!),
          month: Number(each.split(' ')[1]!.replace('-', '')),
          finalizedAt: new Date(),
        })),
      )
      .execute()
  })
  return {
    organizationIds,
    publishers,
    editorPairs,
    permitOf(person, action, on) {
      const uid = UIDS[person]
      const roles: Role[] = [ROLE_OF[person]]
      const organizationId = person === 'staff' ? null : organizationIds[0]!
      const scope = viewerScope(uid, roles, organizationId)
      const permit = decide({ uid, email: 'a@example.jp', roles, organizationId, scope }, action, on)
      if (!permit) throw new Error(`${person} has no ${action} on ${on}`)
      return permit
    },
    maySee(person, mediumId, publisherId) {
      if (person === 'staff') return true
      if (person === 'editor') return editorPairs.has(`${mediumId} ${publisherId}`)
      const organizationId = publishers.find(each => each.id === publisherId)?.organizationId
      return person === 'admin' && organizationId === organizationIds[0]
    },
  }
}
