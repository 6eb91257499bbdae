import { GRANULAR_ACTIONS, type GranularAction } from '@pc/domain/access/action.ts'
import { ROLES } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { USERS_PATH } from '@pc/features/users/links.ts'
import { userCondition } from '@pc/features/users/user-condition.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { ROLES_PATH } from '../links.ts'
import { type RoleCondition, roleCondition } from '../role-condition.ts'
import { type MatrixService, policyMatrix } from './policy-matrix.ts'
import styles from './roles.module.css'
import type { RolesQuery } from './roles-iam.gen.ts'

const ACTIONS_JA: Readonly<Record<GranularAction, string>> = {
  'read:list': '一覧',
  'read:show': '閲覧',
  'write:create': '作成',
  'write:update': '変更',
  'write:delete': '削除',
}

/** What each role may do, as a matrix of the policies that the server applies. */
export function RolesView({ condition, data, error, isLoading, retry }: ScreenProps<RoleCondition, RolesQuery>) {
  const { role } = condition
  const roles = data?.roles.nodes ?? ROLES.map(name => ({ name, ...ROLE_LABELS_JA[name] }))
  const { label, description } = roles.find(({ name }) => name === role) ?? ROLE_LABELS_JA[role]
  return (
    <>
      <ScreenTop title="ロール" note="ロールごとに、できることを確認できます" />
      <div className={styles.columns}>
        <nav aria-label="ロール">
          <ul className={styles.roleList}>
            {ROLES.map(name => (
              <li key={name}>
                <a
                  href={addressOf(ROLES_PATH, roleCondition.format({ role: name }))}
                  aria-current={name === role ? 'page' : undefined}
                >
                  {ROLE_LABELS_JA[name].label}
                  <small>{name}</small>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Card
          title={label}
          note={role}
          flush
          tools={
            <a
              className={styles.toUsers}
              href={addressOf(USERS_PATH, userCondition.format({ ...userCondition.defaults, role }))}
            >
              このロールのユーザー
            </a>
          }
        >
          <p className={styles.lead}>{description}</p>
          {data ? (
            <Matrix services={policyMatrix(data.policies.nodes)} caption={`${label}ができること`} isBusy={isLoading} />
          ) : error && !isLoading ? (
            <FailedContent onRetry={retry} />
          ) : (
            <Skeleton height={320} />
          )}
        </Card>
      </div>
    </>
  )
}

function Matrix(props: { services: readonly MatrixService[]; caption: string; isBusy: boolean }) {
  return (
    <div className={styles.matrixPlace}>
      <table className={styles.matrix} aria-busy={props.isBusy}>
        <caption className="visually-hidden">{props.caption}</caption>
        <thead>
          <tr>
            <th scope="col">対象</th>
            {GRANULAR_ACTIONS.map(action => (
              <th key={action} scope="col">
                {ACTIONS_JA[action]}
              </th>
            ))}
            <th scope="col">範囲</th>
          </tr>
        </thead>
        {props.services.map(({ title, rows }) => (
          <tbody key={title} data-service>
            <tr>
              <th scope="rowgroup" colSpan={GRANULAR_ACTIONS.length + 2}>
                {title}
              </th>
            </tr>
            {rows.map(row => (
              <tr key={row.resource}>
                <th scope="row" title={row.resource}>
                  {row.label}
                </th>
                {GRANULAR_ACTIONS.map(action => (
                  <td key={action}>
                    <Mark isAllowed={row.allowed.has(action)} />
                  </td>
                ))}
                <td>
                  <small>{row.allowed.size === 0 ? '' : row.conditions.join('、') || 'すべて'}</small>
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function Mark({ isAllowed }: { isAllowed: boolean }) {
  const Icon = isAllowed ? IconCheck : IconMinus
  return (
    <>
      <Icon size={16} stroke={isAllowed ? 2.4 : 1.4} className={isAllowed ? styles.yes : styles.no} aria-hidden />
      <span className="visually-hidden">{isAllowed ? 'できる' : 'できない'}</span>
    </>
  )
}
