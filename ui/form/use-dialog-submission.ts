import { useState } from 'react'
import { refusalsOf } from './refused-fields.ts'

/**
 * Submissions of a dialog, one at a time. A refusal is shown in the dialog; after a success the caller closes it.
 * @param failure the message when it failed without a refusal
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
