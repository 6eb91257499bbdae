import type { Screen } from './define-route.ts'

/** The address of the manual about a screen: its own part, or that of the screen whose path its path continues. */
export function helpAddress(screens: readonly Screen[], path: string, isPublisher: boolean): string | undefined {
  const nearest = screens
    .filter(screen => screen.help && `${path}/`.startsWith(`${screen.path}/`))
    .reduce<Screen | undefined>((a, b) => (a && a.path.length > b.path.length ? a : b), undefined)
  const help = nearest?.help
  return help && `/docs/${typeof help === 'string' ? help : help[isPublisher ? 'publisher' : 'staff']}`
}
