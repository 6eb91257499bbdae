import type { FieldProblem } from './refused-fields.ts'

/** Thrown by a form's `send` when an input proves wrong before anything is sent, for example while a file is read. */
export class FieldProblems extends Error {
  readonly problems: readonly FieldProblem[]

  constructor(problems: readonly FieldProblem[]) {
    super('What was entered cannot be read.')
    this.problems = problems
  }
}
