import type { GranularAction } from '@pc/domain/access/action.ts'
import { decide, type Permit } from '@pc/domain/access/decide.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { Change } from '@pc/platform/audit/record-change.ts'
import { actorOf } from '@pc/platform/audit/record-read.ts'
import { forbidden } from '@pc/platform/graphql/guard.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { ImportKind, ImportWrite } from './import-kind.ts'

export const IMPORT = 'insight:import.'

/** The importing person, the request, and a permit for every right that the kind needs. */
export interface Importer {
  readonly viewer: Viewer
  readonly requestId: string
  readonly sourceAddress: string
  readonly permits: ReadonlyMap<string, Permit>
}

export function mayImport(viewer: Viewer, kind: ImportKind): boolean {
  return !viewer.apiKey && ([['write:create', IMPORT], ...kind.needs] as const).every(need => permitFor(viewer, need))
}

/** @throws FORBIDDEN for the first missing right. Permits must cover all rows, because an import may write any row. */
export function demandImporter(
  viewer: Viewer,
  kind: ImportKind,
  from: { readonly requestId: string; readonly sourceAddress: string },
): Importer {
  const permits = new Map<string, Permit>()
  for (const need of [['write:create', IMPORT], ...kind.needs] as const) {
    const permit = viewer.apiKey ? undefined : permitFor(viewer, need)
    if (!permit) throw forbidden(need[0], need[1])
    permits.set(need.join(' '), permit)
  }
  return { viewer, ...from, permits }
}

function permitFor(viewer: Viewer, [action, resource]: readonly [GranularAction, ResourceName]): Permit | undefined {
  const permit = decide(viewer, action, resource)
  return permit?.scope.kind === 'all' && !permit.isMasked ? permit : undefined
}

/** The write access for use cases. @param record collects changes, which are logged at the end of the transaction */
export function importWrite(importer: Importer, tx: Transaction, record: (change: Change) => void): ImportWrite {
  const actor = actorOf(importer.viewer, importer)
  return {
    tx,
    viewer: importer.viewer,
    as<A extends GranularAction, R extends ResourceName>(allow: A, on: R): Write<A, R> {
      const permit = importer.permits.get(`${allow} ${on}`)
      if (!permit) throw forbidden(allow, on)
      return { tx, permit: permit as Permit<A, R>, actor, record, recordNothing() {} }
    },
  }
}
