import { valueAsOf } from '@pc/domain/agreement/terms-history.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import {
  eachText,
  IN_HOUSE_TEXT_NAMES,
  OPEN_TEXT_NAMES,
  PUBLISHER_TEXTS,
  type PublisherFields,
} from '@pc/domain/publisher/publisher-record.ts'
import { type Clock, thisMonth } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { demandPermit, findPermit } from '@pc/platform/graphql/guard.ts'
import { keepLoaded, loadBatched, useBatched } from '@pc/platform/graphql/load-batched.ts'
import { asksFor } from '@pc/platform/graphql/requested-fields.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { GraphQLResolveInfo } from 'graphql'
import {
  type RuleRow,
  type RuleTerms,
  readHistoriesOfPublishers,
  readRuleHistories,
  readRulesOfPublishers,
  type TermsVersion,
} from './publisher-rule-store.ts'
import type { PublisherRow } from './publisher-store.ts'

/** A publisher whose rules are shown as of a month; by default the current one. */
export interface ShownPublisher extends PublisherRow {
  readonly asOfMonth?: YearMonth | undefined
}
interface ShownRule extends RuleRow {
  readonly asOfMonth: YearMonth
}
/** Opaque here: this feature only passes agreements on. */
type AgreementShape = { readonly id: bigint }

export interface PublisherTypeDependencies {
  readonly database: Database
  readonly clock: Clock
  /** GraphQL types that other features define. */
  readonly Organization: ObjectTypeRef<{ readonly id: bigint; readonly name: string }>
  readonly Agreement: ObjectTypeRef<AgreementShape>
  /** Reads agreements by id within the caller's scope. */
  readonly findAgreements: (
    context: GraphContext,
    ids: readonly bigint[],
  ) => Promise<ReadonlyMap<bigint, AgreementShape>>
}

const RULES = { nullable: true, allow: 'read:list', on: 'insight:agreement_publisher_rule.' } as const
const IN_HOUSE = {
  nullable: true,
  allow: 'read:show',
  on: 'insight:in_house_field.',
  description: 'Staff only.',
} as const
const RATE = { nullable: true, allow: 'read:show', on: 'insight:payment_rate.' } as const

const RULES_OF_PUBLISHERS = 'publisher rules'
const VERSIONS_OF_RULES = 'rule versions'
const FROM_HISTORY = ['paymentRate', 'fixedRevenue', 'minimumRevenue', 'history']

/**
 * Reads the rules of a list's publishers and their versions in parallel with the list, if the query selects them. Nothing is
 * read for callers without the right to rules, and each field still checks its own right.
 */
export async function readAhead(
  database: Database,
  context: GraphContext,
  info: GraphQLResolveInfo,
  publisherIds: readonly bigint[],
): Promise<void> {
  const permit = findPermit(context, 'read:list', 'insight:agreement_publisher_rule.')
  if (!permit || !asksFor(info, 'agreementPublisherRules')) return
  const reader = database.reader(permit.scope)
  const [rules, histories] = await Promise.all([
    readRulesOfPublishers(reader, publisherIds),
    FROM_HISTORY.some(name => asksFor(info, name)) ? readHistoriesOfPublishers(reader, publisherIds) : undefined,
  ])
  keepLoaded(context, RULES_OF_PUBLISHERS, rules)
  if (histories) keepLoaded(context, VERSIONS_OF_RULES, histories)
}

/** The type `Publisher`, with that of its rules. */
export function publisherType(graph: Graph, dependencies: PublisherTypeDependencies) {
  const { database, clock, Organization } = dependencies
  const AgreementPublisherRule = ruleType(graph, dependencies)
  return graph.objectRef<ShownPublisher>('Publisher').implement({
    on: 'insight:publisher.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      ...eachText(OPEN_TEXT_NAMES, name => t.exposeString(name, { description: PUBLISHER_TEXTS[name].description })),
      enabled: t.exposeBoolean('enabled'),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      organization: t.field({
        type: Organization,
        nullable: true,
        resolve: row => (row.organizationName === null ? null : { id: row.organizationId, name: row.organizationName }),
      }),
      ...eachText(IN_HOUSE_TEXT_NAMES, name =>
        field(t, {
          type: 'String',
          nullable: true,
          description: PUBLISHER_TEXTS[name].description,
          allow: 'read:show',
          on: 'insight:in_house_note.',
          resolve: row => row[name],
        }),
      ),
      revision: t.exposeInt('revision'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      agreementPublisherRules: field(t, {
        ...RULES,
        type: [AgreementPublisherRule],
        resolve: (row, _args, context, permit) =>
          useBatched(
            context,
            RULES_OF_PUBLISHERS,
            row.id,
            ids => readRulesOfPublishers(database.reader(permit.scope), ids),
            (rules = []) => {
              const asOfMonth = row.asOfMonth ?? thisMonth(clock)
              return rules.map(rule => ({ ...rule, asOfMonth }))
            },
          ),
      }),
    }),
  })
}

type InputFields = Parameters<Parameters<Graph['inputType']>[1]['fields']>[0]

/** The editable fields of a publisher, also for one that is created from the staging system. */
export function publisherFieldInputs(t: InputFields) {
  return {
    name: t.string(),
    ...eachText(OPEN_TEXT_NAMES, name => t.string({ description: PUBLISHER_TEXTS[name].description })),
    enabled: t.boolean(),
    ...eachText(IN_HOUSE_TEXT_NAMES, name => t.string({ description: PUBLISHER_TEXTS[name].description })),
  } satisfies Record<keyof PublisherFields, unknown>
}

function ruleType(graph: Graph, { database, Agreement, findAgreements }: PublisherTypeDependencies) {
  const PaymentRate = rateType(graph)
  const RuleVersionType = ruleVersionType(graph, PaymentRate)
  const fromHistory = <Used>(
    rule: ShownRule,
    context: GraphContext,
    use: (versions: readonly TermsVersion[]) => Used,
  ): Used | Promise<Used> => {
    const { scope } = demandPermit(context, 'read:list', 'insight:agreement_publisher_rule.')
    const load = (ids: readonly bigint[]) => readRuleHistories(database.reader(scope), ids)
    return useBatched(context, VERSIONS_OF_RULES, rule.id, load, (versions = []) => use(versions))
  }
  const fromTerms = <Used>(rule: ShownRule, context: GraphContext, use: (terms: RuleTerms | null) => Used) =>
    fromHistory(rule, context, versions => use(valueAsOf(versions, rule.asOfMonth) ?? null))
  return graph.objectRef<ShownRule>('AgreementPublisherRule').implement({
    on: 'insight:agreement_publisher_rule.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      agreementId: t.expose('agreementId', { type: 'ID' }),
      publisherId: t.expose('publisherId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      revision: t.exposeInt('revision'),
      agreement: t.field({
        type: Agreement,
        nullable: true,
        resolve: async (rule, _args, context) =>
          (await loadBatched(context, 'agreements', rule.agreementId, ids => findAgreements(context, ids))) ?? null,
      }),
      fixedRevenue: field(t, {
        ...IN_HOUSE,
        type: 'Long',
        resolve: (rule, _args, context) => fromTerms(rule, context, terms => terms?.fixedRevenueYen ?? null),
      }),
      minimumRevenue: field(t, {
        ...IN_HOUSE,
        type: 'Long',
        resolve: (rule, _args, context) => fromTerms(rule, context, terms => terms?.minimumRevenueYen ?? null),
      }),
      paymentRate: field(t, {
        ...RATE,
        type: PaymentRate,
        description: 'In force in the month that is shown; null before the rule begins.',
        resolve: (rule, _args, context) => fromTerms(rule, context, terms => terms),
      }),
      history: field(t, {
        ...IN_HOUSE,
        type: [RuleVersionType],
        description: 'Staff only. Every version of the rule, oldest first.',
        resolve: (rule, _args, context) => fromHistory(rule, context, versions => [...versions]),
      }),
    }),
  })
}

function rateType(graph: Graph) {
  return graph.objectRef<RuleTerms>('PaymentRate').implement({
    on: 'insight:payment_rate.',
    description: 'Rates in units: 100 = 1 %, 10,000 = 100 %.',
    fields: t => ({
      paymentRate: t.exposeInt('ownAdsRateUnits'),
      sspPaymentRate: t.exposeInt('sspRateUnits'),
      videoSspPaymentRate: t.exposeInt('videoSspRateUnits'),
      liveSspPaymentRate: t.exposeInt('liveSspRateUnits'),
      isTargetForSspAllocation: t.exposeBoolean('isTargetForSspAllocation'),
      isTargetForVideoSspAllocation: t.exposeBoolean('isTargetForVideoSspAllocation'),
      isTargetForLiveSspAllocation: t.exposeBoolean('isTargetForLiveSspAllocation'),
    }),
  })
}

function ruleVersionType(graph: Graph, PaymentRate: ReturnType<typeof rateType>) {
  return graph.objectRef<TermsVersion>('AgreementPublisherRuleVersion').implement({
    on: 'inherits',
    fields: t => ({
      validFromMonth: t.exposeInt('validFromMonth'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      fixedRevenue: t.field({ type: 'Long', resolve: version => version.value.fixedRevenueYen }),
      minimumRevenue: t.field({ type: 'Long', resolve: version => version.value.minimumRevenueYen }),
      paymentRate: t.field({ type: PaymentRate, nullable: true, resolve: version => version.value }),
    }),
  })
}
