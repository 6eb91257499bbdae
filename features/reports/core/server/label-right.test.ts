import type { Role } from '@pc/domain/access/role.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import type { GraphContext } from '@pc/platform/graphql/graph.ts'
import { expect, test } from 'vitest'
import { demandLabels } from './label-right.ts'
import type { EntityFilter } from './report-scope.ts'

const UID = '00000000-0000-7000-8000-000000000001'

function demand(roles: readonly Role[], filter: Partial<EntityFilter>): void {
  const viewer = { uid: UID, email: 'a@example.jp', roles, organizationId: 1n, scope: viewerScope(UID, roles, 1n) }
  demandLabels(filter as EntityFilter, { viewer, permits: new Map() } as unknown as GraphContext)
}

test('a filter by labels needs the right to articles; without labels nothing is needed', () => {
  const labels = { section: [7n] }
  expect(() => demand(['insight:publisher_admin'], { labels })).not.toThrow()
  expect(() => demand([], { labels })).toThrow()
  expect(() => demand([], {})).not.toThrow()
})
