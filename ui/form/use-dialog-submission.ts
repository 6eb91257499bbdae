import { useState } from 'react'
import { refusalsOf } from './refused-fields.ts'

/**
 * What a dialog sends: one thing at a time. What was refused stays in the dialog with its reason; a person who sends closes it.
 * @param failure said when nothing was refused, and it did not succeed either
 */
export function useDialogSubmission(failure: string) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  return {
    problem,
    setProblem,
    isBusy,
    async submit(send: () => Promise<void>): Promise<void> {
      if (isBusy) return
      setBusy(true)
      setProblem(undefined)
      try {
        await send()
      } catch (error) {
        setProblem(refusalsOf(error)[0]?.message ?? failure)
        setBusy(false)
      }
    },
  }
}
