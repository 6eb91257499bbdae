import type { FieldProblem } from './refused-fields.ts'

/** Thrown by a form's `send` when what was entered turns out to be wrong only while it is read: nothing was sent. */
export class FieldProblems extends Error {
  readonly problems: readonly FieldProblem[]

  constructor(problems: readonly FieldProblem[]) {
    super('What was entered cannot be read.')
    this.problems = problems
  }
}
