import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { refusalError } from '@pc/platform/graphql/refusal-error.ts'
import { readIds } from './report-arguments.ts'
import type { EntityFilter } from './report-scope.ts'

type Given = { readonly [name in keyof EntityFilter]?: readonly string[] | null | undefined } | null | undefined

/** Whom a report without a range of its own is about. @throws the refusals of what is no list of ids */
export function readEntityFilter(param: Given): EntityFilter {
  const refusals: Refusal<RefusalCode>[] = []
  const ids = (name: keyof EntityFilter) => readIds(param?.[name], ['param', name], refusals)
  const filter = {
    mediumIds: ids('mediumIds'),
    organizationIds: ids('organizationIds'),
    publisherIds: ids('publisherIds'),
  }
  if (refusals.length > 0) throw refusalError(refusals)
  return filter
}
