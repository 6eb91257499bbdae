import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { FieldFrame, type FieldProps, useField } from '@pc/ui/form/field.tsx'
import type { FieldPath, FieldValues } from 'react-hook-form'
import styles from './users.module.css'

interface RoleFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  /** The roles that can be chosen. */
  roles: readonly Role[]
  /** Why a role cannot be given or taken away now. */
  lockedReasons?: Readonly<Partial<Record<Role, string>>>
}

const SERVICES: readonly (readonly [prefix: string, title: string])[] = [
  ['admin', '全体'],
  ['iam:', 'ユーザー管理'],
  ['insight:', 'パブリッシャーセンター'],
  ['coupon:', 'クーポン管理'],
  ['video:', '動画管理'],
  ['article:', '記事入稿'],
]

/** The roles of a person, each with its description. The form's value is an array of role names. */
export function RoleField<V extends FieldValues, N extends FieldPath<V>>(props: RoleFieldProps<V, N>) {
  const { roles, lockedReasons = {} } = props
  const field = useField(props, showRoles)
  const chosen = Array.isArray(field.value) ? (field.value as readonly string[]) : []
  // Roles that the person already has stay visible even if they cannot be changed here.
  const shown = ROLES.filter(role => roles.includes(role) || chosen.includes(role))
  const groups = SERVICES.map(([prefix, title]) => ({ title, roles: shown.filter(role => role.startsWith(prefix)) }))
  const used = groups.filter(group => group.roles.length > 0)
  return (
    <FieldFrame field={field} props={{ width: 'full', ...props }} isGroup>
      <div className={styles.checks}>
        {used.map(group => (
          <RoleGroup key={group.title} title={used.length > 1 ? group.title : undefined}>
            {group.roles.map(role => {
              const reason = lockedReasons[role] ?? (roles.includes(role) ? undefined : NOT_GIVABLE)
              return (
                <label key={role} data-checked={chosen.includes(role) || undefined}>
                  <input
                    type="checkbox"
                    ref={role === shown[0] ? field.focusRef : undefined}
                    checked={chosen.includes(role)}
                    disabled={field.isReadOnly || reason !== undefined}
                    aria-invalid={field.aria['aria-invalid']}
                    aria-describedby={field.aria['aria-describedby']}
                    onChange={event =>
                      field.set(ROLES.filter(one => (one === role ? event.target.checked : chosen.includes(one))))
                    }
                    onBlur={field.onBlur}
                  />
                  <span>
                    {ROLE_LABELS_JA[role].label}
                    <small>{ROLE_LABELS_JA[role].description}</small>
                    {reason !== undefined && !field.isReadOnly && <small>{reason}</small>}
                  </span>
                </label>
              )
            })}
          </RoleGroup>
        ))}
      </div>
    </FieldFrame>
  )
}

const NOT_GIVABLE = 'このロールを変更する権限がありません。'

function RoleGroup({ title, children }: { title: string | undefined; children: React.ReactNode }) {
  return (
    <>
      {title !== undefined && <p className={styles.group}>{title}</p>}
      {children}
    </>
  )
}

function showRoles(value: unknown): string {
  const names = Array.isArray(value) ? (value as readonly Role[]) : []
  return names.length === 0 ? '（なし）' : names.map(role => ROLE_LABELS_JA[role].label).join('、')
}
