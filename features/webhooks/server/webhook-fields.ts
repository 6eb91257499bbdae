import { WEBHOOK_EVENTS, type WebhookEvent, webhookEventName } from '@pc/domain/webhook/webhook.ts'
import { WEBHOOK_FORMATS, webhookFormat } from '@pc/domain/webhook/webhook-format.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { Keyring } from '@pc/platform/secrets/keyring.ts'
import {
  deleteWebhook,
  pauseWebhook,
  pingWebhook,
  redeliverWebhook,
  renewWebhookSecret,
  type SavedWebhook,
  saveWebhook,
  withoutSecret,
} from './save-webhook.ts'
import { type DeliveryRow, listDeliveries, listWebhooks, type WebhookRow } from './webhook-store.ts'

export interface WebhookFieldDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  /** Undefined: no key is set, so no secret can be made. */
  readonly keyring: Keyring | undefined
}
const ON = 'insight:webhook.'
/** Latest deliveries shown of a webhook. */
const SHOWN_DELIVERIES = 50

/** `webhooks`, `webhookDeliveries`, and the mutations of webhooks. */
export function addWebhookFields(graph: Graph, dependencies: WebhookFieldDependencies): void {
  const types = webhookTypes(graph)
  const { database } = dependencies
  graph.queryField('webhooks', t =>
    field(t, {
      type: [types.Webhook],
      allow: 'read:list',
      on: ON,
      description: "The platform's own addresses for staff, those of the own organisation for a publisher.",
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(permit.scope, tx => listWebhooks(tx, permit), { readOnly: true }),
    }),
  )
  graph.queryField('webhookDeliveries', t =>
    field(t, {
      type: [types.Delivery],
      allow: 'read:list',
      on: ON,
      description: 'The last ones, the newest first.',
      args: { webhookId: t.arg.id({ required: true }) },
      resolve: (_parent, { webhookId }, _context, permit) =>
        database.inScope(
          permit.scope,
          tx => listDeliveries(tx, permit, readId(webhookId, ['webhookId']), SHOWN_DELIVERIES),
          { readOnly: true },
        ),
    }),
  )
  addWebhookMutations(graph, dependencies, types)
}

type Types = ReturnType<typeof webhookTypes>

function addWebhookMutations(
  graph: Graph,
  dependencies: WebhookFieldDependencies,
  { Webhook, Saved, Input }: Types,
): void {
  const { database, clock } = dependencies
  graph.mutationField('saveWebhook', t =>
    mutation(t, {
      type: Saved,
      allow: 'write:update',
      on: ON,
      database,
      needsStepUp: true,
      keptAnswer: withoutSecret,
      args: { input: t.arg({ type: Input, required: true }) },
      run: ({ input }, write) =>
        saveWebhook(
          {
            url: input.url,
            events: input.events,
            format: input.format ?? undefined,
            expectedRevision: input.expectedRevision ?? undefined,
            id: input.id === null || input.id === undefined ? undefined : readId(input.id, ['input', 'id']),
          },
          dependencies,
          write,
        ),
    }),
  )
  graph.mutationField('renewWebhookSecret', t =>
    mutation(t, {
      type: Saved,
      allow: 'write:update',
      on: ON,
      database,
      needsStepUp: true,
      keptAnswer: withoutSecret,
      args: { id: t.arg.id({ required: true }) },
      run: ({ id }, write) => renewWebhookSecret(readId(id, ['id']), dependencies, write),
    }),
  )
  graph.mutationField('pauseWebhook', t =>
    mutation(t, {
      type: Webhook,
      allow: 'write:update',
      on: ON,
      database,
      args: { id: t.arg.id({ required: true }), isPaused: t.arg.boolean({ required: true }) },
      run: ({ id, isPaused }, write) => pauseWebhook(readId(id, ['id']), isPaused, write),
    }),
  )
  graph.mutationField('deleteWebhook', t =>
    mutation(t, {
      type: Webhook,
      allow: 'write:delete',
      on: ON,
      database,
      args: { id: t.arg.id({ required: true }) },
      run: ({ id }, write) => deleteWebhook(readId(id, ['id']), clock, write),
    }),
  )
  graph.mutationField('pingWebhook', t =>
    mutation(t, {
      type: 'Boolean',
      allow: 'write:update',
      on: ON,
      database,
      description: 'Sends a ping.',
      args: { id: t.arg.id({ required: true }) },
      run: ({ id }, write) => pingWebhook(readId(id, ['id']), dependencies, write),
    }),
  )
  graph.mutationField('redeliverWebhook', t =>
    mutation(t, {
      type: 'Boolean',
      allow: 'write:update',
      on: ON,
      database,
      description: 'Sends an event once more, with the same id.',
      args: { deliveryId: t.arg.id({ required: true }) },
      run: ({ deliveryId }, write) => redeliverWebhook(readId(deliveryId, ['deliveryId']), dependencies, write),
    }),
  )
}

const STATES = ['waiting', 'queued', 'delivered', 'failed', 'dropped'] as const

function webhookTypes(graph: Graph) {
  const Event = graph.enumType('WebhookEvent', {
    values: Object.fromEntries(WEBHOOK_EVENTS.map(value => [webhookEventName(value), { value }])) as Record<
      string,
      { value: WebhookEvent }
    >,
  })
  const Format = graph.enumType('WebhookFormat', {
    values: WEBHOOK_FORMATS.map(({ name }) => name),
    description: 'How the body of a webhook is written.',
  })
  const State = graph.enumType('WebhookDeliveryState', {
    values: STATES,
    description: 'failed: not tried any more. dropped: the address was paused or deleted before it left.',
  })
  const Webhook = graph.objectRef<WebhookRow>('Webhook').implement({
    on: ON,
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      url: t.exposeString('url', { description: 'Masked: its path may be a secret. Sent back as it is, it stays.' }),
      events: t.field({ type: [Event], resolve: row => row.events as WebhookEvent[] }),
      format: t.field({
        type: Format,
        nullable: true,
        description: 'Null: a format that this version does not know.',
        resolve: row => webhookFormat(row.format)?.name ?? null,
      }),
      isPaused: t.exposeBoolean('isPaused'),
      isGivenUp: t.exposeBoolean('isGivenUp', { description: 'Paused by the system: nothing arrived for days.' }),
      failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      revision: t.exposeInt('revision', { description: 'Send it back as expectedRevision when saving.' }),
    }),
  })
  const Delivery = graph.objectRef<DeliveryRow>('WebhookDelivery').implement({
    on: ON,
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      key: t.exposeString('key', { description: 'The id that the receiver knows the event by.' }),
      kind: t.exposeString('kind'),
      occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
      state: t.field({ type: State, resolve: row => row.state as (typeof STATES)[number] }),
      attempts: t.exposeInt('attempts'),
      lastStatus: t.exposeInt('lastStatus', { nullable: true, description: 'HTTP status of the last answer.' }),
      lastProblem: t.exposeString('lastProblem', { nullable: true, description: 'Why there was no answer.' }),
      changedAt: t.expose('changedAt', { type: 'DateTime' }),
    }),
  })
  const Saved = graph.objectRef<SavedWebhook>('SavedWebhook').implement({
    on: ON,
    fields: t => ({
      webhook: t.expose('webhook', { type: Webhook }),
      secret: t.exposeString('secret', { nullable: true, description: 'When it was made, and never again.' }),
      isRepeated: t.exposeBoolean('isRepeated', {
        description:
          'The submission was made before: its secret was answered then, and a new one has to be made if it was lost.',
      }),
    }),
  })
  const Input = graph.inputType('WebhookInput', {
    fields: t => ({
      id: t.id({ description: 'Absent: a new one.' }),
      url: t.string({ required: true }),
      events: t.field({ type: [Event], required: true }),
      format: t.field({ type: Format, description: 'Absent: as it is; a new one gets json.' }),
      expectedRevision: t.int(),
    }),
  })
  return { Webhook, Delivery, Saved, Input }
}
