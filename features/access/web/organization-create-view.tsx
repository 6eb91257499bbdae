import { addressOf } from '@pc/ui/define-route.ts'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { ScreenTop } from '@pc/ui/list-top.tsx'
import { ORGANIZATIONS_PATH } from '../links.ts'
import { CreateOrganizationDocument } from './organization-edit-iam.gen.ts'
import { checkOrganization, OrganizationName, withNameConfirmed } from './organization-name.tsx'

export function OrganizationCreateView() {
  const create = useSubmission(CreateOrganizationDocument, 'iam')
  const back = addressOf(ORGANIZATIONS_PATH)
  return (
    <>
      <ScreenTop title="組織の登録" />
      <EntityForm
        title="組織の登録"
        initial={{ name: '' }}
        check={checkOrganization}
        send={({ name }) => withNameConfirmed(confirmed => create({ name: name.trim(), ...confirmed }))}
        saved={(_answer, { name }) => ({ message: `「${name.trim()}」を登録しました。`, address: back })}
        cancelAddress={back}
        submitLabel="組織を登録"
      >
        {control => <OrganizationName control={control} />}
      </EntityForm>
    </>
  )
}
