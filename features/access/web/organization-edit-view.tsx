import { USERS_PATH } from '@pc/features/users/links.ts'
import { userCondition } from '@pc/features/users/user-condition.ts'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { EntityForm } from '@pc/ui/form/entity-form.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { FailedContent, Message, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { ORGANIZATIONS_PATH } from '../links.ts'
import styles from './access.module.css'
import {
  DeleteOrganizationDocument,
  OrganizationEditDocument,
  type OrganizationEditQuery,
  UpdateOrganizationDocument,
} from './organization-edit-iam.gen.ts'
import { checkOrganization, OrganizationFields, sentOrganization, withSameNameConfirmed } from './organization-name.tsx'
import { organizationTitle } from './organization-title.ts'

type Organization = NonNullable<OrganizationEditQuery['organization']>

export function OrganizationEditView(props: ScreenProps<object, OrganizationEditQuery>) {
  const { data, viewer, ids } = props
  const organization = data?.organization
  // While the next organisation is loading, the data still belong to the one before.
  if (organization && organization.id === ids.id) {
    return <KnownOrganization key={organization.id} organization={organization} viewer={viewer} />
  }
  return (
    <>
      <ScreenTop title={organizationTitle(viewer)} />
      <Card title="組織">
        {props.isLoading ? (
          <Skeleton height={200} />
        ) : props.error ? (
          <FailedContent onRetry={props.retry} />
        ) : (
          <Message title="組織が見つかりません" action={<a href={addressOf(ORGANIZATIONS_PATH)}>一覧へ戻る</a>}>
            削除されたか、閲覧する権限がない可能性があります。
          </Message>
        )}
      </Card>
    </>
  )
}

interface KnownProps {
  organization: Organization
  viewer: Viewer
}

function KnownOrganization({ organization, viewer }: KnownProps) {
  const update = useSubmission(UpdateOrganizationDocument, 'iam')
  const client = useClientOf('iam')
  const back = addressOf(ORGANIZATIONS_PATH)
  const { id, name, userCount } = organization
  return (
    <>
      <ScreenTop title={organizationTitle(viewer)} note={name} />
      <div className={styles.stack}>
        <Card title="概要">
          <dl className={styles.facts}>
            <dt>ID</dt>
            <dd>{id}</dd>
            <dt>ユーザー</dt>
            <dd>
              <a href={addressOf(USERS_PATH, userCondition.format({ ...userCondition.defaults, organizationId: id }))}>
                {userCount}人
              </a>
            </dd>
            <dt>登録日時</dt>
            <dd>{formatInstant(organization.createdAt)}</dd>
            <dt>更新日時</dt>
            <dd>{formatInstant(organization.updatedAt)}</dd>
          </dl>
        </Card>
        <EntityForm
          title={organizationTitle(viewer)}
          initial={{ name, postalCode: organization.postalCode, address: organization.address }}
          revision={organization.revision}
          check={checkOrganization}
          send={(values, expectedRevision) =>
            withSameNameConfirmed(confirmed =>
              update({
                id,
                ...sentOrganization(values),
                ...confirmed,
                ...(expectedRevision === undefined ? {} : { expectedRevision }),
              }),
            )
          }
          saved={(_answer, values) => ({ message: `「${values.name.trim()}」を保存しました。`, address: back })}
          loadLatest={async () => {
            const answer = await client.query({
              query: OrganizationEditDocument,
              variables: { id },
              fetchPolicy: 'network-only',
            })
            const latest = answer.data?.organization
            if (!latest) throw new Error('the organisation is gone')
            const { name: latestName, postalCode, address, revision } = latest
            return { values: { name: latestName, postalCode, address }, revision }
          }}
          cancelAddress={back}
          readOnlyReason={
            viewer.can('write:update', 'iam:org.')
              ? undefined
              : '閲覧のみの権限です。変更はユーザー管理者にご依頼ください。'
          }
        >
          {control => <OrganizationFields control={control} />}
        </EntityForm>
        {viewer.can('write:delete', 'iam:org.') && <Deletion organization={organization} />}
      </div>
    </>
  )
}

function Deletion({ organization }: { organization: Organization }) {
  const remove = useSubmission(DeleteOrganizationDocument, 'iam')
  const { id, name, userCount } = organization
  const [refused, setRefused] = useState<string>()
  const reason =
    refused ??
    (userCount > 0 ? `ユーザーが${userCount}人登録されています。先に移動または削除してください。` : undefined)
  const run = async () => {
    const isAgreed = await confirm({
      title: `「${name}」を削除しますか？`,
      body: '元に戻せません。操作の記録は残ります。',
      action: '組織を削除する',
      tone: 'danger',
    })
    if (!isAgreed) return
    try {
      await remove({ id })
      showToast({ tone: 'success', message: `「${name}」を削除しました。` })
      goTo(addressOf(ORGANIZATIONS_PATH), { replace: true, isFinal: true })
    } catch (error) {
      setRefused(refusalsOf(error)[0]?.message)
    }
  }
  return (
    <Card title="削除">
      <div className={styles.deletion}>
        <p>ユーザー、契約、パブリッシャーが登録されていない組織だけを削除できます。</p>
        <Button
          tone="danger"
          disabled={reason !== undefined}
          aria-describedby={reason === undefined ? undefined : 'organization-in-use'}
          onClick={() => void run()}
        >
          組織を削除
        </Button>
        {reason !== undefined && (
          <p id="organization-in-use" className={styles.reason} role={refused === undefined ? undefined : 'alert'}>
            {reason}
          </p>
        )}
      </div>
    </Card>
  )
}
