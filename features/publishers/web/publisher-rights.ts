import type { Viewer } from '@pc/ui/session/viewer.tsx'

/** Which fields of a publisher the person may see and send. */
export function publisherRights({ can }: Pick<Viewer, 'can'>) {
  return {
    shown: {
      withRules: can('read:list', 'insight:agreement_publisher_rule.'),
      withRates: can('read:show', 'insight:payment_rate.'),
      withInHouse: can('read:show', 'insight:in_house_field.'),
      withNotes: can('read:show', 'insight:in_house_note.'),
      withFirstMonth: can('write:create', 'insight:agreement.'),
    },
    sendable: {
      rules: can('write:update', 'insight:agreement_publisher_rule.') && can('write:update', 'insight:payment_rate.'),
      inHouse: can('write:update', 'insight:in_house_field.'),
      notes: can('write:update', 'insight:in_house_note.'),
    },
  }
}

export type PublisherRights = ReturnType<typeof publisherRights>
