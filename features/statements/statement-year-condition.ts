import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { text } from '@pc/domain/condition/params.ts'
import { type Day, dayParts } from '@pc/domain/month/day.ts'

/** A calendar year of statements; empty: the current one. */
export const statementYearCondition = defineCondition({ year: text() })
export type StatementYearCondition = ConditionOf<typeof statementYearCondition>

/** Statements are kept for ten years. */
const KEPT_YEARS = 10
const FIRST_YEAR = 2020

/** The years that can be chosen, latest first. */
export function statementYears(today: Day): readonly number[] {
  // Statements issued at the end of this year can be due in the next one.
  const last = dayParts(today).year + 1
  return Array.from({ length: KEPT_YEARS + 1 }, (_, index) => last - index).filter(year => year >= FIRST_YEAR)
}

/** The chosen year; the current one when the address names none that can be chosen. */
export function yearOfCondition({ year }: StatementYearCondition, today: Day): number {
  const chosen = Number(year)
  return statementYears(today).includes(chosen) ? chosen : dayParts(today).year
}
