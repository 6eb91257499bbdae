import { addAccessFields } from '@pc/features/access/server/access-fields.ts'
import { addAgreementFields } from '@pc/features/agreements/server/agreement-fields.ts'
import { addBankAccountFields } from '@pc/features/bank-accounts/server/bank-account-fields.ts'
import { bankAccountTypes } from '@pc/features/bank-accounts/server/bank-account-types.ts'
import { addHistoryFields } from '@pc/features/history/server/history-fields.ts'
import { addPublisherFields } from '@pc/features/publishers/server/publisher-fields.ts'
import { addPublisherOptionFields, organizationType } from '@pc/features/publishers/server/publisher-option-fields.ts'
import { addSummaryFields } from '@pc/features/reports/server/summary-fields.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { finishGraph } from '@pc/platform/graphql/finish-graph.ts'
import { openGraph } from '@pc/platform/graphql/graph.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { GraphQLSchema } from 'graphql'

export interface InsightGraphParts {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly jobs: Jobs
}

/** The insight API: what publishers and staff read and manage. */
export function insightSchema({ database, stats, clock, jobs }: InsightGraphParts): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  const Organization = organizationType(graph)
  graph.mutationType({})
  const accounts = bankAccountTypes(graph, { database, Organization })
  const { BankAccount, findBankAccounts } = accounts
  addBankAccountFields(graph, accounts, { database, jobs })
  const agreements = addAgreementFields(graph, { database, clock, Organization, BankAccount, findBankAccounts })
  addPublisherOptionFields(graph, { database, Organization })
  addPublisherFields(graph, { database, clock, Organization, ...agreements })
  addHistoryFields(graph, { database })
  addSummaryFields(graph, { database, stats, clock })
  return finishGraph(graph)
}

/** The identity and access API. */
export function iamSchema({ database }: Pick<InsightGraphParts, 'database'>): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  addAccessFields(graph, { database })
  return finishGraph(graph)
}
