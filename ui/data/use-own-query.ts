import { useQuery } from '@apollo/client/react'
import { useState } from 'react'

/**
 * `useQuery` whose `previousData` may be shown: while the next answer is loading, or when the same query failed on a
 * repetition. After a failure, answers for other variables are dropped, so that figures of one filter never appear
 * under the heading of another.
 */
export const useOwnQuery = ((...given: Parameters<typeof useQuery>) => {
  const result = useQuery(...given)
  const requested = JSON.stringify(result.variables)
  const [answered, setAnswered] = useState<string>()
  // An answer of errors alone has `null` as data, whatever its type says.
  if (hasData(result.data) && answered !== requested) setAnswered(requested)
  const hasFailed = result.error !== undefined
  const isOwn = result.loading || !hasFailed || answered === requested
  return isOwn ? result : { ...result, previousData: undefined }
}) as typeof useQuery

function hasData(data: unknown): boolean {
  return data !== undefined && data !== null
}
