import {
  checkMedium,
  checkMediumNumber,
  MEDIUM_BOUNDS,
  MEDIUM_FIELD_NAMES,
  type MediumFields,
  mediumNumberOf,
  NEW_MEDIUM,
  plainMedium,
} from '@pc/domain/medium/medium.ts'
import { MEDIUM_REFUSALS_JA } from '@pc/domain/medium/medium-refusals.ja.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { fieldsOf } from '@pc/domain/record/record-fields.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import type { CreateMediumParam, MediumFieldsFragment, UpdateMediumParam } from './media.gen.ts'

const TEXTS = { ...MEDIUM_REFUSALS_JA, ...NAME_REFUSALS_JA }

export interface MediumValues extends Omit<MediumFields, 'displayOrder' | 'retiredOn'> {
  /** The medium's number, as text because it is an identifier. */
  readonly id: string
  readonly displayOrder: number | null
  readonly retiredOn: string | null
}

export const NEW_MEDIUM_VALUES: MediumValues = { ...NEW_MEDIUM, id: '', displayOrder: null }

export function mediumValuesOf(medium: MediumFieldsFragment): MediumValues {
  return { id: medium.id, ...fieldsOf(MEDIUM_FIELD_NAMES, medium) }
}

export const plainNumber = (text: string) => text.normalize('NFKC').trim()

/** The server's rules and texts, applied before sending; the server decides. */
export function checkMediumValues(values: MediumValues): FieldProblem[] {
  const retiredOn = values.retiredOn === null ? null : (parseDay(values.retiredOn) ?? MEDIUM_BOUNDS.firstDay)
  const content = plainMedium({ ...values, displayOrder: values.displayOrder ?? 0, retiredOn })
  const number = plainNumber(values.id)
  const found = [
    ...(number === '' ? [] : checkMediumNumber(mediumNumberOf(number), ['id'])),
    ...checkMedium(content, []),
  ]
  return found.map(({ code, path, data }) => ({ name: String(path.at(-1)), message: TEXTS[code](data) }))
}

export function newMediumParam(values: MediumValues): CreateMediumParam {
  const { id: number, displayOrder, ...content } = values
  const id = plainNumber(number)
  return { ...content, ...(id === '' ? {} : { id }), ...(displayOrder === null ? {} : { displayOrder }) }
}

export function changedMediumParam(values: MediumValues): UpdateMediumParam {
  const { id: _number, ...content } = newMediumParam(values)
  return content
}
