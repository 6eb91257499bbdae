import { type ComponentProps, useState } from 'react'

/** The text of a search field. Text that the input method is still converting is not searched. */
export function useTypedText(initial: string) {
  const [typed, setTyped] = useState(initial)
  const [isComposing, setComposing] = useState(false)
  const input: ComponentProps<'input'> = {
    type: 'search',
    className: 'control',
    autoComplete: 'off',
    value: typed,
    onChange: event => setTyped(event.target.value),
    onCompositionStart: () => setComposing(true),
    onCompositionEnd: event => {
      setComposing(false)
      setTyped(event.currentTarget.value)
    },
  }
  return { typed, setTyped, isComposing, input }
}
