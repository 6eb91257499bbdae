import { Badge } from '@pc/ui/elements/card.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import styles from './users.module.css'

interface Named {
  readonly name: string
  readonly label: string
}

/** Roles by their Japanese names; the tooltip has the name that policies use. */
export function RoleList({ roles }: { roles: readonly Named[] }) {
  if (roles.length === 0) return <span className={styles.none}>ロールなし</span>
  return (
    <ul className={styles.roles}>
      {roles.map(role => (
        <li key={role.name} title={role.name}>
          {role.label}
        </li>
      ))}
    </ul>
  )
}

interface UserStateProps {
  user: { readonly enabled: boolean; readonly invitation: { readonly expiresAt: string } | null }
}

/** 有効, 無効, 招待中 or 招待の期限切れ; the colour adds nothing to the word. */
export function UserState({ user }: UserStateProps) {
  if (!user.enabled) return <Badge tone="bad">無効</Badge>
  if (!user.invitation) return <Badge tone="ok">有効</Badge>
  const until = formatInstant(user.invitation.expiresAt)
  return isExpired(user.invitation) ? (
    <Badge tone="mute" title={`${until}に期限が切れました`}>
      招待の期限切れ
    </Badge>
  ) : (
    <Badge tone="warn" title={`${until}まで有効な招待です`}>
      招待中
    </Badge>
  )
}

function isExpired(invitation: { readonly expiresAt: string }): boolean {
  return Date.parse(invitation.expiresAt) <= Date.now()
}
