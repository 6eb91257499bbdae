import { checkMedium, checkMediumNumber, MEDIUM_BOUNDS, mediumNumberOf, plainMedium } from '@pc/domain/medium/medium.ts'
import { MEDIUM_REFUSALS_JA } from '@pc/domain/medium/medium-refusals.ja.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import type { CreateMediumParam, MediumFieldsFragment, UpdateMediumParam } from './media.gen.ts'

const TEXTS = { ...MEDIUM_REFUSALS_JA, ...NAME_REFUSALS_JA }

export interface MediumValues {
  /** The number as text: it counts nothing. */
  id: string
  name: string
  code: string
  displayOrder: number | null
  retiredOn: string | null
}

export const NEW_MEDIUM: MediumValues = { id: '', name: '', code: '', displayOrder: null, retiredOn: null }

export function mediumValuesOf({ id, name, code, displayOrder, retiredOn }: MediumFieldsFragment): MediumValues {
  return { id, name, code, displayOrder, retiredOn }
}

export const plainNumber = (text: string) => text.normalize('NFKC').trim()

/** The same rules and texts as the server's; the server decides. */
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
  const { name, code, displayOrder, retiredOn } = values
  const id = plainNumber(values.id)
  return {
    ...(id === '' ? {} : { id }),
    ...(displayOrder === null ? {} : { displayOrder }),
    name: name.trim(),
    code: code.trim(),
    retiredOn,
  }
}

export function changedMediumParam(values: MediumValues): UpdateMediumParam {
  const { id: _number, ...content } = newMediumParam(values)
  return content
}
