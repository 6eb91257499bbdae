import { fieldNamesOf } from '../record/record-fields.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'

/**
 * The fields of a publisher that people edit, as its row stores them. Reading, saving, history and copies from staging
 * use this list.
 */
export interface PublisherFields {
  readonly name: string
  readonly kana: string
  readonly enabled: boolean
  readonly notes: string | null
}

/** An absent field stays as it is; null counts as absent where the row needs a value. */
export type SentPublisherFields = {
  readonly [Name in keyof PublisherFields]?: PublisherFields[Name] | null | undefined
}

export const PUBLISHER_FIELD_LABELS_JA: Readonly<Record<keyof PublisherFields, string>> = {
  name: 'パブリッシャー名',
  kana: 'よみがな',
  enabled: '状態',
  notes: '備考',
}
export const PUBLISHER_FIELD_NAMES = fieldNamesOf(PUBLISHER_FIELD_LABELS_JA)

export const NEW_PUBLISHER: PublisherFields = { name: '', kana: '', enabled: true, notes: null }

/** Longest texts, in characters. */
export const PUBLISHER_TEXT_BOUNDS = { name: 200, kana: 200, notes: 5_000 } as const

/** The fields that a row holds after these were sent. */
export function publisherAfter(sent: SentPublisherFields, before: PublisherFields): PublisherFields {
  return {
    name: sent.name?.trim() ?? before.name,
    kana: sent.kana?.trim() ?? before.kana,
    enabled: sent.enabled ?? before.enabled,
    notes: sent.notes === undefined ? before.notes : sent.notes?.trim() || null,
  }
}

type PublisherRefusal = Refusal<
  'publisher/name-required' | 'publisher/kana-too-long' | 'publisher/notes-too-long' | 'name/hidden-characters'
>

/**
 * What is wrong with the texts of a form, with the path of each field. Only a new publisher needs a name.
 * Tested by `features/publishers/server/publishers-api.test.ts`.
 */
export function checkPublisherFields(
  { name, kana, notes }: Pick<SentPublisherFields, 'name' | 'kana' | 'notes'>,
  isNew: boolean,
): readonly PublisherRefusal[] {
  const refusals: PublisherRefusal[] = []
  const max = PUBLISHER_TEXT_BOUNDS
  const text = name?.trim()
  if (text === undefined ? isNew : text === '' || text.length > max.name)
    refusals.push(refusal('publisher/name-required', ['name']))
  for (const [field, value] of Object.entries({ name, kana })) {
    if (hasHiddenCharacter(value?.trim() ?? '')) refusals.push(refusal('name/hidden-characters', [field]))
  }
  if ((kana?.length ?? 0) > max.kana) refusals.push(refusal('publisher/kana-too-long', ['kana'], { max: max.kana }))
  if ((notes?.length ?? 0) > max.notes)
    refusals.push(refusal('publisher/notes-too-long', ['notes'], { max: max.notes }))
  return refusals
}
