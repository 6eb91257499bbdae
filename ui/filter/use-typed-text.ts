import { type ComponentProps, useState } from 'react'

/** The text of a search field. What is still being converted (IME) is no text to search for yet. */
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
