import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { ORGANIZATIONS_PATH } from '../links.ts'
import { CreateOrganizationDocument } from './organization-edit-iam.gen.ts'
import { checkOrganization, OrganizationFields, sentOrganization, withSameNameConfirmed } from './organization-name.tsx'

export function OrganizationCreateView() {
  const create = useSubmission(CreateOrganizationDocument, 'iam')
  const back = addressOf(ORGANIZATIONS_PATH)
  return (
    <>
      <ScreenTop title="組織の登録" />
      <EntityForm
        title="組織の登録"
        initial={{ name: '', postalCode: '', address: '' }}
        check={checkOrganization}
        send={values => withSameNameConfirmed(confirmed => create({ ...sentOrganization(values), ...confirmed }))}
        saved={(_answer, { name }) => ({ message: `「${name.trim()}」を登録しました。`, address: back })}
        cancelAddress={back}
        submitLabel="組織を登録"
      >
        {control => <OrganizationFields control={control} />}
      </EntityForm>
    </>
  )
}
