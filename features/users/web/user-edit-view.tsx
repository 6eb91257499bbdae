import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { seesRows } from '@pc/domain/access/role-duties.ts'
import type { OtherAdministrators } from '@pc/domain/access/user-changes.ts'
import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Message, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { type Control, useWatch } from 'react-hook-form'
import { USERS_PATH } from '../links.ts'
import { AgreementField } from './agreement-field.tsx'
import { PendingChange } from './pending-change.tsx'
import { UpdateUserForPublisherDocument } from './publisher-user.gen.ts'
import { RoleField } from './role-field.tsx'
import { useOtherAdministrators } from './use-other-administrators.ts'
import { UpdateRolesDocument, type UserEditQuery } from './user-edit-iam.gen.ts'
import { UserActions } from './user-operations.tsx'
import { UserState } from './user-parts.tsx'
import { type EditedUser, givableRoles, rankReason, rolesOf, whyNot } from './user-rights.ts'
import { userTitle } from './user-title.ts'
import styles from './users.module.css'

type Props = ScreenProps<object, UserEditQuery>

export function UserEditView({ data, error, isLoading, retry, viewer, ids }: Props) {
  const user = data?.user
  // While the next user is loading, the data still belong to the one before.
  const isCurrent = user?.uid.toLowerCase() === ids.userID?.toLowerCase()
  if (user && isCurrent) return <KnownUser key={user.uid} user={user} viewer={viewer} />
  return (
    <>
      <ScreenTop title={userTitle(viewer)} />
      <Card title="ユーザー">
        {isLoading ? (
          <Skeleton height={240} />
        ) : error ? (
          <FailedContent onRetry={retry} />
        ) : (
          <Message title="ユーザーが見つかりません" action={<a href={addressOf(USERS_PATH)}>一覧へ戻る</a>}>
            削除されたか、閲覧する権限がない可能性があります。
          </Message>
        )}
      </Card>
    </>
  )
}

function KnownUser({ user, viewer }: { user: EditedUser; viewer: Viewer }) {
  const others = useOtherAdministrators(user)
  return (
    <>
      <ScreenTop title={userTitle(viewer)} note={user.email} />
      <div className={styles.stack}>
        <Card title="ユーザー">
          <dl className={styles.facts}>
            <dt>メールアドレス</dt>
            <dd>{user.email}</dd>
            <dt>組織</dt>
            <dd>{user.organization?.name ?? '—'}</dd>
            <dt>状態</dt>
            <dd>
              <UserState user={user} />
            </dd>
            {user.accountAtIssuer ? (
              <>
                <dt>会社のアカウント</dt>
                <dd>{user.accountAtIssuer === 'BOUND' ? '登録済み' : '未登録'}</dd>
              </>
            ) : (
              <>
                <dt>2段階認証</dt>
                <dd>{user.hasSecondFactor ? '設定済み' : '未設定'}</dd>
              </>
            )}
            {user.invitation && (
              <>
                <dt>招待</dt>
                <dd>
                  {formatInstant(user.invitation.invitedAt)}に送信、{formatInstant(user.invitation.expiresAt)}まで有効
                </dd>
              </>
            )}
            <dt>登録日時</dt>
            <dd>{formatInstant(user.createdAt)}</dd>
          </dl>
        </Card>
        {user.pendingChange && <PendingChange user={user} viewer={viewer} change={user.pendingChange} />}
        <RightsForm user={user} viewer={viewer} others={others} />
        <UserActions user={user} viewer={viewer} others={others} />
      </div>
    </>
  )
}

interface Rights {
  roles: readonly Role[]
  agreementIds: readonly string[]
}

interface RightsProps {
  user: EditedUser
  viewer: Viewer
  others: OtherAdministrators
}

function RightsForm({ user, viewer, others }: RightsProps) {
  const isForEverybody = viewer.can('write:update', 'iam:user_role.')
  const updateRoles = useSubmission(UpdateRolesDocument, 'iam')
  const updateForPublisher = useSubmission(UpdateUserForPublisherDocument, 'insight')
  const back = addressOf(USERS_PATH)
  const send = async ({ roles, agreementIds }: Rights) => {
    const ofEditor = seesRows(roles, 'agreements') ? agreementIds : []
    if (isForEverybody) await updateRoles({ uid: user.uid, roles, agreementIds: ofEditor })
    else await updateForPublisher({ input: { uid: user.uid, roles, agreementIds: ofEditor } })
  }
  const no = (roles: readonly Role[]) => whyNot(viewer, user, { roles, enabled: user.enabled }, others)
  return (
    <EntityForm<Rights, void>
      title="権限"
      initial={{ roles: rolesOf(user), agreementIds: user.agreementIds }}
      revision={0}
      check={({ roles }) => {
        if (roles.length === 0) return [{ name: 'roles', message: USER_REFUSALS_JA['user/roles-required']() }]
        const message = no(roles)
        return message === undefined ? [] : [{ name: 'roles', message }]
      }}
      send={send}
      saved={() => ({ message: `${user.email}の権限を変更しました。`, address: back })}
      cancelAddress={back}
      submitLabel="権限を保存"
      readOnlyReason={readOnlyReason(viewer, user)}
    >
      {control => (
        <RightsFields control={control} user={user} viewer={viewer} lockedReasons={lockedReasons(rolesOf(user), no)} />
      )}
    </EntityForm>
  )
}

function readOnlyReason(viewer: Viewer, user: EditedUser): string | undefined {
  if (!viewer.can('write:update', 'iam:user.')) return '閲覧のみの権限です。変更はユーザー管理者にご依頼ください。'
  return rankReason(viewer, user)
}

/**
 * Roles that cannot be given or taken away now, with the reason: for example the last administrator keeps the role, and
 * people cannot give themselves a role that moves money.
 */
function lockedReasons(has: readonly Role[], no: (roles: readonly Role[]) => string | undefined) {
  const locked: Partial<Record<Role, string>> = {}
  for (const role of ROLES) {
    const reason = no(has.includes(role) ? has.filter(other => other !== role) : [...has, role])
    if (reason !== undefined) locked[role] = reason
  }
  return locked
}

interface RightsFieldsProps {
  control: Control<Rights>
  user: EditedUser
  viewer: Viewer
  lockedReasons: Readonly<Partial<Record<Role, string>>>
}

function RightsFields({ control, user, viewer, lockedReasons: locked }: RightsFieldsProps) {
  const roles = useWatch({ control, name: 'roles' })
  const isEditor = seesRows(roles, 'agreements')
  return (
    <FormSection title="権限" note="ロールを変えると、この方は次の操作からサインインし直しになります。">
      <RoleField
        control={control}
        name="roles"
        label="ロール"
        isRequired
        roles={ROLES.filter(role => givableRoles(viewer).includes(role) || rolesOf(user).includes(role))}
        lockedReasons={locked}
      />
      {isEditor && user.organization && viewer.can('read:list', 'insight:agreement.') && (
        <AgreementField
          control={control}
          name="agreementIds"
          label="担当する契約"
          organizationId={user.organization.id}
          hint="パブリッシャーの担当者は、ここで選んだ契約だけを閲覧できます。"
        />
      )}
    </FormSection>
  )
}
