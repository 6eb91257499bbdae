import { addAccessFields } from '@pc/features/access/server/access-fields.ts'
import { changeUser } from '@pc/features/access/server/change-user.ts'
import { inviteUser } from '@pc/features/access/server/invite-user.ts'
import type { PeopleMail } from '@pc/features/access/server/people-mail.ts'
import { addAgreementFields } from '@pc/features/agreements/server/agreement-fields.ts'
import { addPublisherOptionFields, organizationType } from '@pc/features/publishers/server/publisher-option-fields.ts'
import { addSummaryFields } from '@pc/features/reports/server/summary-fields.ts'
import { addPublisherUserFields } from '@pc/features/users/server/publisher-user-fields.ts'
import { verifyAuditChain } from '@pc/platform/audit/verify-audit-chain.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { finishGraph } from '@pc/platform/graphql/finish-graph.ts'
import { openGraph } from '@pc/platform/graphql/graph.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { GraphQLSchema } from 'graphql'

export interface InsightGraphParts {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly mail: PeopleMail
}

/** The insight API: what publishers and staff read and manage. */
export function insightSchema({ database, stats, clock, mail }: InsightGraphParts): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  const Organization = organizationType(graph)
  addPublisherOptionFields(graph, { database, Organization })
  addAgreementFields(graph, { database, Organization })
  addSummaryFields(graph, { database, stats, clock })
  graph.mutationType({})
  addPublisherUserFields(graph, {
    database,
    inviteUser: (invitee, write) => inviteUser(invitee, write, mail),
    changeUser: (uid, change, write) => changeUser(uid, change, write, 'update'),
  })
  return finishGraph(graph)
}

export interface IamGraphParts {
  readonly database: Database
  readonly mail: PeopleMail
  /** Where the anchors of the audit log are kept. */
  readonly dataDir: string
}

/** The identity and access API. */
export function iamSchema({ database, mail, dataDir }: IamGraphParts): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  graph.mutationType({})
  addAccessFields(graph, { database, mail, verifyAuditLog: () => verifyAuditChain(database, dataDir) })
  return finishGraph(graph)
}
