import { useCallback, useEffect, useState } from 'react'
import { type Answer, get } from './sign-in-client.ts'

type State<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'loaded'; readonly value: T }

/** The response of an endpoint. `reload` fetches it again and keeps the old one until the new one arrives. */
export function useLoaded<T>(name: string): readonly [State<T>, reload: () => Promise<void>] {
  const [state, setState] = useState<State<T>>({ kind: 'loading' })
  const show = useCallback(
    (answer: Answer<T>) => setState(answer.ok ? { kind: 'loaded', value: answer.value } : { kind: 'failed' }),
    [],
  )
  const reload = useCallback(async () => show(await get<T>(name)), [name, show])
  useEffect(() => {
    let isCurrent = true
    void get<T>(name).then(answer => {
      if (isCurrent) show(answer)
    })
    return () => {
      isCurrent = false
    }
  }, [name, show])
  return [state, reload]
}
