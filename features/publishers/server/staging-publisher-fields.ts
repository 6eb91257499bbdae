import { hasInHouseText, PUBLISHER_FIELD_NAMES } from '@pc/domain/publisher/publisher-record.ts'
import { fieldsOf } from '@pc/domain/record/record-fields.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation, type Write } from '@pc/platform/graphql/mutation.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { publisherFieldInputs } from './publisher-graph.ts'
import { type PublisherInput, type publisherInputTypes, type RuleInput, readRuleInputs } from './publisher-input.ts'
import type { PublisherRow } from './publisher-store.ts'
import { savePublisher } from './save-publisher.ts'
import { savePublisherRules } from './save-publisher-rules.ts'

/** Access to staging publishers, implemented by `features/feeds`. */
export interface StagingPublishers {
  /** Locks the staging publisher until the end of the transaction. */
  lock(
    tx: Transaction,
    id: string,
  ): Promise<{ readonly name: string; readonly notes: string; readonly publisherId: bigint | null } | undefined>
  markCopied(tx: Transaction, id: string, publisherId: bigint, by: string): Promise<void>
}

export interface StagingPublisherDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly staging: StagingPublishers
  readonly Publisher: ObjectTypeRef<PublisherRow>
  readonly AgreementPublisherRuleInput: ReturnType<typeof publisherInputTypes>['AgreementPublisherRuleInput']
}

/** Adds the mutation `createPublisherWithAgreementPublisherRulesFromStaging`. */
export function addStagingPublisherFields(graph: Graph, dependencies: StagingPublisherDependencies): void {
  const { database, Publisher, AgreementPublisherRuleInput } = dependencies
  const Input = graph.inputType('PublisherFromStagingInput', {
    fields: t => ({
      stagingPublisherId: t.id({ required: true }),
      organizationId: t.id({ required: true }),
      ...publisherFieldInputs(t),
      name: t.string({ description: 'Default: the name in staging; likewise the notes.' }),
    }),
  })
  graph.mutationField('createPublisherWithAgreementPublisherRulesFromStaging', t =>
    mutation(t, {
      type: Publisher,
      args: {
        publisher: t.arg({ type: Input, required: true }),
        agreementPublisherRules: t.arg({ type: [AgreementPublisherRuleInput], required: true }),
      },
      allow: 'write:create',
      on: 'insight:publisher.',
      description: 'Makes a publisher of one of the staging system, once, together with its rules.',
      database,
      needsStepUp: true,
      run(args, write, context) {
        const { stagingPublisherId, organizationId } = args.publisher
        const rules = readRuleInputs(args.agreementPublisherRules)
        if (rules.length > 0) {
          demandPermit(context, 'write:create', 'insight:agreement_publisher_rule.')
          demandPermit(context, 'write:update', 'insight:payment_rate.')
        }
        if (hasInHouseText(args.publisher)) demandPermit(context, 'write:create', 'insight:in_house_note.')
        const input: PublisherInput = {
          id: undefined,
          organizationId: readId(String(organizationId), ['publisher', 'organizationId']),
          ...fieldsOf(PUBLISHER_FIELD_NAMES, args.publisher),
          expectedRevision: undefined,
        }
        return copyStagingPublisher(dependencies, stagingPublisherId.replaceAll('\0', ''), input, rules, write)
      },
    }),
  )
}

async function copyStagingPublisher(
  { clock, staging }: StagingPublisherDependencies,
  stagingPublisherId: string,
  input: PublisherInput,
  rules: readonly RuleInput[],
  write: Write<'write:create', 'insight:publisher.'>,
): Promise<Result<PublisherRow, Refusal<RefusalCode>>> {
  const { tx, permit } = write
  const source = await staging.lock(tx, stagingPublisherId)
  const path = ['publisher', 'stagingPublisherId']
  if (!source) return refused(refusal('staging/not-found', path))
  if (source.publisherId !== null) return refused(refusal('staging/already-copied', path))
  const notes = input.notes === undefined ? source.notes || null : input.notes
  const saved = await savePublisher(write, { ...input, name: input.name ?? source.name, notes }, ['publisher'])
  if (!saved.ok) return saved
  const { row } = saved.value
  const ruled = await savePublisherRules(write, clock, row.id, rules)
  if (!ruled.ok) return ruled
  await staging.markCopied(tx, stagingPublisherId, row.id, permit.viewer.uid)
  write.record({
    action: 'copy-from-staging',
    resource: 'insight:publisher.',
    rowId: row.id,
    before: null,
    after: { stagingPublisherId },
  })
  return ok(row)
}
