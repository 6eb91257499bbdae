import { isOneself } from '@pc/domain/access/viewer-scope.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { findPermit } from '@pc/platform/graphql/guard.ts'
import { readId, readPage, readSearch } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { AGREEMENT_ORDERS, type AgreementRow, listAgreements } from './agreement-store.ts'

const IN_HOUSE = {
  nullable: true,
  allow: 'read:show',
  on: 'insight:in_house_field.',
  description: 'Staff only.',
} as const
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The organisation type of the graph, which another feature makes. */
type OrganizationRef = ObjectTypeRef<{ readonly id: bigint; readonly name: string }>

export function addAgreementFields(
  graph: Graph,
  { database, Organization }: { readonly database: Database; readonly Organization: OrganizationRef },
): void {
  const AgreementList = agreementListType(graph, Organization)
  const AgreementsOrderBy = graph.enumType('AgreementsOrderBy', { values: AGREEMENT_ORDERS })
  const AgreementsParam = graph.inputType('AgreementsParam', {
    fields: t => ({
      userUid: t.id({
        description: 'Agreements that this user works for: the caller, or a user that the caller may see.',
      }),
      organizationId: t.id(),
      mediumId: t.id(),
      isTerminated: t.boolean(),
      isPaymentDisabled: t.boolean(),
    }),
  })
  graph.queryField('agreements', t =>
    field(t, {
      type: AgreementList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: AgreementsOrderBy }),
        param: t.arg({ type: AgreementsParam }),
        q: t.arg.string(),
      },
      allow: 'read:list',
      on: 'insight:agreement.',
      resolve(_parent, args, context, permit) {
        const { userUid, organizationId, mediumId, isTerminated, isPaymentDisabled } = args.param ?? {}
        const page = readPage(args)
        const filter = {
          organizationId: organizationId ? readId(organizationId, ['param', 'organizationId']) : undefined,
          mediumId: mediumId ? readId(mediumId, ['param', 'mediumId']) : undefined,
          isTerminated: isTerminated ?? undefined,
          isPaymentDisabled: isPaymentDisabled ?? undefined,
          pattern: readSearch(args.q),
        }
        const isOwn = userUid === null || userUid === undefined || isOneself(permit.viewer, userUid)
        if (!isOwn && !mayAskAbout(userUid, context)) return { total: 0, nodes: [] }
        // The own agreements are exactly the scope, for staff all of them.
        return listAgreements(
          database,
          { ...filter, userUid: isOwn ? undefined : userUid },
          args.orderBy ?? 'ID_ASC',
          page,
          permit,
        )
      },
    }),
  )
}

/** A user that the caller may not see has the same answer as one that does not exist: no agreements. */
function mayAskAbout(userUid: string, context: GraphContext): boolean {
  const permit = findPermit(context, 'read:show', 'iam:user.')
  return UUID.test(userUid) && permit !== undefined && permit.scope.kind !== 'self'
}

function agreementListType(graph: Graph, Organization: OrganizationRef) {
  const FeePaidBy = graph.enumType('FeePaidBy', { values: ['product', 'publisher'] as const })
  const PaymentTiming = graph.enumType('PaymentTiming', { values: ['a_month_later', 'two_months_later'] as const })
  const MinimumRevenueType = graph.enumType('MinimumRevenueType', {
    values: ['by_agreement', 'by_publisher', 'none'] as const,
  })
  const Agreement = graph.objectRef<AgreementRow>('Agreement').implement({
    on: 'insight:agreement.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      code: t.exposeString('code'),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      organization: t.field({
        type: Organization,
        nullable: true,
        resolve: row => (row.organizationName === null ? null : { id: row.organizationId, name: row.organizationName }),
      }),
      isTerminated: t.boolean({ resolve: agreement => agreement.terminatedAt !== null }),
      terminatedAt: t.expose('terminatedAt', { type: 'DateTime', nullable: true }),
      isPaymentDisabled: t.exposeBoolean('isPaymentDisabled'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      notes: field(t, {
        type: 'String',
        nullable: true,
        description: 'Staff only.',
        allow: 'read:show',
        on: 'insight:in_house_note.',
        resolve: agreement => agreement.notes,
      }),
      feePaidBy: field(t, { ...IN_HOUSE, type: FeePaidBy, resolve: row => row.feePaidBy as 'product' | 'publisher' }),
      paymentTiming: field(t, {
        ...IN_HOUSE,
        type: PaymentTiming,
        resolve: row => row.paymentTiming as 'a_month_later' | 'two_months_later',
      }),
      minimumRevenueType: field(t, {
        ...IN_HOUSE,
        type: MinimumRevenueType,
        resolve: row => row.minimumRevenueType as 'by_agreement' | 'by_publisher' | 'none',
      }),
      fixedRevenue: field(t, { ...IN_HOUSE, type: 'Long', resolve: agreement => agreement.fixedRevenueYen }),
      minimumRevenue: field(t, { ...IN_HOUSE, type: 'Long', resolve: agreement => agreement.minimumRevenueYen }),
    }),
  })
  return graph.objectRef<{ total: number; nodes: AgreementRow[] }>('AgreementList').implement({
    on: 'insight:agreement.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Agreement] }) }),
  })
}
