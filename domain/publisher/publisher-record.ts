import { fieldNamesOf } from '../record/record-fields.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'

/** An optional text of a publisher. API, form, import, history and audit log take all of it from here. */
interface PublisherText {
  readonly label: string
  /** In characters. */
  readonly max: number
  /** Of the field in the API. */
  readonly description: string
  /** Below the field of the form. */
  readonly hint?: string
  /** Of the column in the workbook. */
  readonly definition: string
  readonly example: string
  /** Only staff sees and edits it. */
  readonly isInHouse: boolean
  /** The row stores an empty text as null. */
  readonly isNullable: boolean
}

export const PUBLISHER_TEXTS = {
  kana: {
    label: 'よみがな',
    max: 200,
    description: 'How the name is read; searched beside it.',
    hint: '検索と並べ替えに使います。ひらがな・カタカナのどちらでも入力できます。',
    definition: '検索に使うよみがなです。',
    example: 'さくらしんぶん',
    isInHouse: false,
    isNullable: false,
  },
  notes: {
    label: '備考',
    max: 5_000,
    description: 'What staff remarks about it. Staff only.',
    definition: '社内だけで使う備考です。',
    example: '',
    isInHouse: true,
    isNullable: true,
  },
} as const satisfies Readonly<Record<string, PublisherText>>

type TextName = keyof typeof PUBLISHER_TEXTS
type InHouseName = {
  [Name in TextName]: (typeof PUBLISHER_TEXTS)[Name]['isInHouse'] extends true ? Name : never
}[TextName]
const isInHouse = (name: TextName): name is InHouseName => PUBLISHER_TEXTS[name].isInHouse
const TEXT_NAMES = fieldNamesOf<TextName>(PUBLISHER_TEXTS)
export const IN_HOUSE_TEXT_NAMES = TEXT_NAMES.filter(isInHouse)
export const OPEN_TEXT_NAMES = TEXT_NAMES.filter((name): name is Exclude<TextName, InHouseName> => !isInHouse(name))

/** Whether any text that only staff edits is sent: saving it needs `insight:in_house_note.`. */
export const hasInHouseText = (sent: SentPublisherFields) => IN_HOUSE_TEXT_NAMES.some(name => sent[name] !== undefined)

type Texts = {
  readonly [Name in TextName]: (typeof PUBLISHER_TEXTS)[Name]['isNullable'] extends true ? string | null : string
}

/** An object with a value for each of these texts. */
export function eachText<const Name extends TextName, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): { readonly [Each in Name]: Value } {
  return Object.fromEntries(names.map(name => [name, make(name)])) as { [Each in Name]: Value }
}

/**
 * The fields of a publisher that people edit, as its row stores them. Reading, saving, history and copies from staging
 * use this list.
 */
export interface PublisherFields extends Texts {
  readonly name: string
  readonly enabled: boolean
}

/** An absent field stays as it is; null counts as absent where the row needs a value. */
export type SentPublisherFields = {
  readonly [Name in keyof PublisherFields]?: PublisherFields[Name] | null | undefined
}

export const PUBLISHER_FIELD_LABELS_JA: Readonly<Record<keyof PublisherFields, string>> = {
  name: 'パブリッシャー名',
  ...eachText(OPEN_TEXT_NAMES, name => PUBLISHER_TEXTS[name].label),
  enabled: '状態',
  ...eachText(IN_HOUSE_TEXT_NAMES, name => PUBLISHER_TEXTS[name].label),
}
export const PUBLISHER_FIELD_NAMES = fieldNamesOf(PUBLISHER_FIELD_LABELS_JA)

export const NEW_PUBLISHER: PublisherFields = {
  name: '',
  enabled: true,
  ...(eachText(TEXT_NAMES, name => (PUBLISHER_TEXTS[name].isNullable ? null : '')) as Texts),
}

/** In characters. */
export const MAX_PUBLISHER_NAME = 200

/** The fields that a row holds after these were sent. */
export function publisherAfter(sent: SentPublisherFields, before: PublisherFields): PublisherFields {
  return {
    name: sent.name?.trim() ?? before.name,
    enabled: sent.enabled ?? before.enabled,
    ...(eachText(TEXT_NAMES, name => textAfter(name, sent, before)) as Texts),
  }
}

function textAfter(name: TextName, sent: SentPublisherFields, before: PublisherFields): string | null {
  const text = sent[name]?.trim()
  if (!PUBLISHER_TEXTS[name].isNullable) return text ?? before[name]
  return sent[name] === undefined ? before[name] : text || null
}

type PublisherRefusal = Refusal<'publisher/name-required' | 'publisher/text-too-long' | 'name/hidden-characters'>

/**
 * What is wrong with the texts of a form, with the path of each field. Only a new publisher needs a name.
 * Tested by `features/publishers/server/publishers-api.test.ts`.
 */
export function checkPublisherFields(sent: SentPublisherFields, isNew: boolean): readonly PublisherRefusal[] {
  const refusals: PublisherRefusal[] = []
  const name = sent.name?.trim()
  if (name === undefined ? isNew : name === '' || name.length > MAX_PUBLISHER_NAME)
    refusals.push(refusal('publisher/name-required', ['name']))
  for (const field of ['name', ...OPEN_TEXT_NAMES] as const) {
    if (hasHiddenCharacter(sent[field]?.trim() ?? '')) refusals.push(refusal('name/hidden-characters', [field]))
  }
  for (const field of TEXT_NAMES) {
    const { label, max } = PUBLISHER_TEXTS[field]
    if ((sent[field]?.length ?? 0) > max) refusals.push(refusal('publisher/text-too-long', [field], { label, max }))
  }
  return refusals
}
