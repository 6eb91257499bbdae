import { useQuery } from '@apollo/client/react'
import { useEffect, useState } from 'react'

/**
 * `useQuery`, whose `previousData` is worth showing: while the next answer is on its way, and where the same question
 * failed when it was repeated. What was answered for other variables is not kept after a failure: figures of one filter
 * would stand under the heading of another. What failed is asked again when the connection is back.
 */
export const useOwnQuery = ((...given: Parameters<typeof useQuery>) => {
  const result = useQuery(...given)
  const asked = JSON.stringify(result.variables)
  const [answered, setAnswered] = useState<string>()
  // Nothing but errors is `null`, whatever the type says.
  if (hasData(result.data) && answered !== asked) setAnswered(asked)
  const { error, refetch } = result
  const hasFailed = error !== undefined
  useEffect(() => {
    if (!hasFailed) return
    // The catalogue says what is wrong this time.
    const again = () => void refetch().catch(() => {})
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [hasFailed, refetch])
  const isOwn = result.loading || !hasFailed || answered === asked
  return isOwn ? result : { ...result, previousData: undefined }
}) as typeof useQuery

function hasData(data: unknown): boolean {
  return data !== undefined && data !== null
}
