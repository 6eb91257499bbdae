import type { ComponentProps } from 'react'

/** A part of the screen that scrolls on its own and can be reached by keyboard. */
export function ScrollRegion(props: Omit<ComponentProps<'section'>, 'tabIndex'> & { 'aria-label': string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  return <section {...props} tabIndex={0} />
}
