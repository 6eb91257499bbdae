import type { Role } from '@pc/domain/access/role.ts'
import { seesRows } from '@pc/domain/access/role-duties.ts'
import { isPublisherRole } from '@pc/domain/access/role-rank.ts'
import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { FormSection } from '@pc/ui/form/form-section.tsx'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import { type Choice, SuggestField } from '@pc/ui/form/suggest-field.tsx'
import { TextField } from '@pc/ui/form/text-field.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { type Control, useWatch } from 'react-hook-form'
import { USERS_PATH } from '../links.ts'
import { AgreementField } from './agreement-field.tsx'
import { InviteUserForPublisherDocument } from './publisher-user.gen.ts'
import { RoleField } from './role-field.tsx'
import { useOrganizationSearch } from './use-organization-search.ts'
import { InviteUserDocument } from './user-edit-iam.gen.ts'
import { givableRoles } from './user-rights.ts'

interface Invitee {
  email: string
  organization: Choice | null
  roles: readonly Role[]
  agreementIds: readonly string[]
}

const NOBODY: Invitee = { email: '', organization: null, roles: [], agreementIds: [] }
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Invites by email. The person chooses the password, which nobody else ever sees. */
export function UserInviteView({ viewer }: ScreenProps<object, unknown>) {
  const isForEverybody = viewer.can('write:update', 'iam:user_role.')
  const invite = useSubmission(InviteUserDocument, 'iam')
  const inviteForPublisher = useSubmission(InviteUserForPublisherDocument, 'insight')
  const back = addressOf(USERS_PATH)
  const send = async ({ email, organization, roles, agreementIds }: Invitee) => {
    const ofEditor = seesRows(roles, 'agreements') ? agreementIds : []
    const input = { email: email.trim(), roles, agreementIds: ofEditor }
    if (isForEverybody) await invite({ input: { ...input, organizationId: organization?.id ?? null } })
    else await inviteForPublisher({ input })
  }
  return (
    <>
      <ScreenTop title="ユーザーを招待" note="招待メールのリンクは72時間有効で、一度だけ使用できます" />
      <EntityForm<Invitee, void>
        title="ユーザーを招待"
        initial={NOBODY}
        check={values => problemsOf(values, isForEverybody)}
        send={send}
        saved={(_answer, values) => ({ message: `${values.email.trim()}に招待メールを送信しました。`, address: back })}
        cancelAddress={back}
        submitLabel="招待メールを送信"
        busyLabel="送信しています…"
      >
        {control => <InviteFields control={control} viewer={viewer} isForEverybody={isForEverybody} />}
      </EntityForm>
    </>
  )
}

interface InviteFieldsProps {
  control: Control<Invitee>
  viewer: Viewer
  isForEverybody: boolean
}

function InviteFields({ control, viewer, isForEverybody }: InviteFieldsProps) {
  const search = useOrganizationSearch()
  const [roles, organization] = useWatch({ control, name: ['roles', 'organization'] })
  const organizationId = isForEverybody ? organization?.id : viewer.organizationId
  return (
    <>
      <FormSection title="招待する相手">
        <TextField
          control={control}
          name="email"
          label="メールアドレス"
          type="email"
          isRequired
          maxLength={254}
          hint="このメールアドレスに招待メールを送信します。サインインにも使用します。"
        />
        {isForEverybody && (
          <SuggestField
            control={control}
            name="organization"
            label="組織"
            search={search}
            placeholder="組織名で検索"
            hint="パブリッシャーのロールを付与するときは必須です。運営のユーザーは空のままにします。"
          />
        )}
      </FormSection>
      <FormSection title="権限" note="ロールは複数選べます。あとから変更できます。">
        <RoleField control={control} name="roles" label="ロール" isRequired roles={givableRoles(viewer)} />
        {seesRows(roles, 'agreements') &&
          organizationId !== undefined &&
          viewer.can('read:list', 'insight:agreement.') && (
            <AgreementField
              control={control}
              name="agreementIds"
              label="担当する契約"
              organizationId={organizationId}
              hint="パブリッシャーの担当者は、ここで選んだ契約だけを閲覧できます。"
            />
          )}
      </FormSection>
    </>
  )
}

function problemsOf(values: Invitee, isForEverybody: boolean): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (!EMAIL.test(values.email.trim()))
    problems.push({ name: 'email', message: USER_REFUSALS_JA['user/email-invalid']() })
  if (values.roles.length === 0) problems.push({ name: 'roles', message: USER_REFUSALS_JA['user/roles-required']() })
  if (isForEverybody && values.organization === null && values.roles.some(isPublisherRole))
    problems.push({ name: 'organization', message: USER_REFUSALS_JA['user/role-needs-organization']() })
  return problems
}
