import { type ComponentType, type ReactNode, use, useEffect } from 'react'
import { showToast } from '../feedback/toasts.tsx'
import { loadCode } from './load-code.ts'

interface LazyPart<P extends object> {
  (props: P): ReactNode
  /** Preloads the code, for example when the pointer comes near. */
  load(): void
}

/**
 * A component that the first paint does not need, for use inside `Suspense`. Unlike with `lazy`, loaded code renders at
 * once (React would show the fallback for 300 ms), and a failed load shows a message and is tried again with the next
 * use.
 * @param onFailed called when the code cannot be loaded
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  onFailed?: (props: P) => void,
): LazyPart<P> {
  let requested: Promise<ComponentType<P>> | undefined
  let hasFailed = false
  const ask = () => {
    if (requested) return requested
    const loading = loadCode(load)
    requested = loading
    loading.then(
      // The form that React's `use` reads synchronously.
      value => Object.assign(loading, { status: 'fulfilled', value }),
      () => {
        hasFailed = true
      },
    )
    return loading
  }
  const forget = () => {
    requested = undefined
    hasFailed = false
  }
  // biome-ignore lint/correctness/noComponentHookFactories: made once, where a module declares its part
  function Lazy(props: P) {
    const loading = ask()
    if (hasFailed) {
      const onSaid = () => {
        forget()
        onFailed?.(props)
      }
      return <NotLoaded onSaid={onSaid} />
    }
    const Part = use(loading)
    return <Part {...props} />
  }
  return Object.assign(Lazy, { load: () => void ask() })
}

/** Shows the message for code that could not be loaded. */
export function sayNotLoaded(): void {
  showToast({
    tone: 'error',
    message: '画面の一部を読み込めませんでした',
    detail: '通信状態を確認して、もう一度お試しください。',
  })
}

function NotLoaded({ onSaid }: { onSaid: () => void }) {
  useEffect(() => {
    sayNotLoaded()
    onSaid()
  }, [onSaid])
  return null
}
