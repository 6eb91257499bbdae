import { useQuery } from '@apollo/client/react'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import { useEffect } from 'react'
import { GUIDE_KEY, PUT_AWAY, rememberGuide } from './guide-memory.ts'
import { SetupCard } from './setup-card.tsx'
import { SetupGuideDocument } from './setup-guide.gen.ts'

/** The setup guide from the server; nothing once it is done or dismissed. */
export function SetupGuideSteps({ wasShown }: { wasShown: boolean }) {
  const { id, impersonation } = useViewer()
  const { data, previousData } = useQuery(SetupGuideDocument, {
    variables: { keys: [GUIDE_KEY] },
    fetchPolicy: 'network-only',
  })
  const { setupSteps: steps, preferences } = data ?? previousData ?? {}
  const isAway = preferences?.some(one => one?.key === GUIDE_KEY && one.value === PUT_AWAY)
  const isDone = steps?.every(({ state }) => state === 'done')
  const isOver = isAway === true || (isDone === true && !wasShown)
  // An impersonation does not write to the browser's storage.
  const isOwn = impersonation === undefined
  useEffect(() => {
    if (isOwn && isDone !== undefined) rememberGuide(id, isOver ? 'gone' : 'shown')
  }, [id, isOwn, isDone, isOver])
  if (!steps || steps.length === 0 || isOver) return null
  return <SetupCard steps={steps} />
}
