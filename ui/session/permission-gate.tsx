import type { ReactNode } from 'react'
import { useViewer } from './viewer.tsx'

/**
 * Renders its children only when the check gives what is expected; `expected={false}` shows them to those who lack the
 * access. Hides only: the server refuses by itself.
 */
export function PermissionGate(props: {
  action: string
  resource: string
  expected?: boolean
  children: ReactNode
}): ReactNode {
  const viewer = useViewer()
  return viewer.can(props.action, props.resource) === (props.expected ?? true) ? props.children : null
}
