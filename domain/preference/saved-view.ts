import { type Refusal, refusal } from '../refusal.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'
import { PREFERENCE_BOUNDS } from './preference-key.ts'
import type { PREFERENCE_REFUSALS_JA } from './preference-refusals.ja.ts'

const SCREEN = /^[a-z0-9]+(?:-[a-z0-9]+){0,9}$/

export interface SavedViewContent {
  readonly screen: string
  readonly name: string
  /** The filter segment of the address; empty: every parameter has its default. */
  readonly condition: string
  /** Undefined: each reader's own choice of columns. */
  readonly columns: readonly string[] | undefined
}

type ViewRefusal = Refusal<keyof typeof PREFERENCE_REFUSALS_JA | 'name/hidden-characters'>

/**
 * What is wrong with a view that is being saved; empty when nothing is. The name must be trimmed.
 * Tested by `features/preferences/server/preferences.test.ts`.
 */
export function savedViewProblems({ screen, name, condition, columns }: SavedViewContent): readonly ViewRefusal[] {
  const problems: ViewRefusal[] = []
  const { nameLength, conditionLength, columns: mostColumns } = PREFERENCE_BOUNDS
  const length = [...name].length
  if (length === 0) problems.push(refusal('saved-view/name-missing', ['input', 'name']))
  if (length > nameLength) problems.push(refusal('saved-view/name-too-long', ['input', 'name'], { max: nameLength }))
  if (hasHiddenCharacter(name)) problems.push(refusal('name/hidden-characters', ['input', 'name']))
  const isScreen = screen.length <= 60 && SCREEN.test(screen)
  const hasColumns = columns === undefined || (columns.length <= mostColumns && columns.every(id => id.length <= 60))
  if (!isScreen || condition.length > conditionLength || !hasColumns)
    problems.push(refusal('saved-view/content-invalid', ['input']))
  return problems
}
