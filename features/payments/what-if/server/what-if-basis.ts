import { ok, type Result } from '@pc/domain/result.ts'
import type { AgreementInput, PoolJobInput } from '@pc/domain/settlement/settlement-input.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { ComputeRefusal } from '../../core/server/compute-month.ts'
import { loadMonth } from '../../core/server/load-month.ts'
import type { MonthKey } from '../../core/server/month-key.ts'

/** The current values of a month that a scenario can change. */
export interface WhatIfBasis {
  readonly payoutThresholdYen: bigint
  readonly pools: readonly PoolJobInput[]
  /** How many agreements the search finds; the first of them follow. */
  readonly total: number
  readonly agreements: readonly BasisAgreement[]
}
export interface BasisAgreement {
  readonly input: AgreementInput
  readonly name: string
  readonly code: string
  readonly publisherNames: ReadonlyMap<bigint, string>
}

/** Agreements that a search returns. */
const MAX_LISTED_AGREEMENTS = 20

/** Finds agreements by their ids, or by a text in their name, code or payee. */
export async function readWhatIfBasis(
  parts: { readonly database: Database; readonly stats: StatsStore },
  key: MonthKey,
  wanted: { readonly q: string; readonly agreementIds: readonly bigint[] | undefined },
): Promise<Result<WhatIfBasis, ComputeRefusal>> {
  const loaded = await loadMonth(parts, key)
  if (!loaded.ok) return loaded
  const { input, facts } = loaded.value
  const text = wanted.q.normalize('NFKC').toLowerCase()
  const found = input.agreements.filter(agreement => {
    if (wanted.agreementIds) return wanted.agreementIds.includes(agreement.agreementId)
    const { name = '', code = '' } = facts.get(agreement.agreementId) ?? {}
    return [name, code, agreement.partnerName].some(each => each.normalize('NFKC').toLowerCase().includes(text))
  })
  const shown = wanted.agreementIds ? found : found.slice(0, MAX_LISTED_AGREEMENTS)
  const publisherIds = [...new Set(shown.flatMap(each => each.rules.map(rule => rule.publisherId)))]
  const names = await parts.database.inScope(SYSTEM, async tx => {
    if (publisherIds.length === 0) return new Map<bigint, string>()
    const rows = await tx.selectFrom('publishers').select(['id', 'name']).where('id', 'in', publisherIds).execute()
    return new Map(rows.map(row => [row.id, row.name]))
  })
  return ok({
    payoutThresholdYen: input.settings.payoutThresholdYen,
    pools: input.poolJobs,
    total: found.length,
    agreements: shown.map(agreement => ({
      input: agreement,
      name: facts.get(agreement.agreementId)?.name ?? '',
      code: facts.get(agreement.agreementId)?.code ?? '',
      publisherNames: names,
    })),
  })
}
