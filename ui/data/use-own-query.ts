import { useQuery } from '@apollo/client/react'
import { useState } from 'react'

/**
 * `useQuery`, whose `previousData` is worth showing: while the next answer is on its way, and where the same question
 * failed when it was repeated. What was answered for other variables is not kept after a failure: figures of one filter
 * would stand under the heading of another.
 */
export const useOwnQuery = ((...given: Parameters<typeof useQuery>) => {
  const result = useQuery(...given)
  const requested = JSON.stringify(result.variables)
  const [answered, setAnswered] = useState<string>()
  // Nothing but errors is `null`, whatever the type says.
  if (hasData(result.data) && answered !== requested) setAnswered(requested)
  const hasFailed = result.error !== undefined
  const isOwn = result.loading || !hasFailed || answered === requested
  return isOwn ? result : { ...result, previousData: undefined }
}) as typeof useQuery

function hasData(data: unknown): boolean {
  return data !== undefined && data !== null
}
