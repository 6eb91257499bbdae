import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { truncate } from '@pc/domain/text/truncate.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { AgreementReferences } from './agreement-references.ts'
import { organizationColumns, organizationReferences } from './common-references.ts'
import { choiceColumn, codeColumn, textColumn } from './import-columns.ts'
import type { Cells, ImportKind, PresentRow, Refused } from './import-kind.ts'
import { ENABLED } from './publishers-kind.ts'
import { saveAllowed, saveNewAndChanged } from './save-rows.ts'

interface UserState {
  readonly roles: readonly Role[]
  readonly agreementIds: readonly bigint[]
  readonly enabled: boolean
}
interface NewUser extends UserState {
  readonly email: string
  readonly organizationId: bigint | null
}
/** Use cases for the rows of one file. A refusal's path begins with the index of the person. */
interface UserUseCases {
  /** @param sendsEmails (in the options) sends invitations at once; otherwise a person sends them later */
  inviteUsers(
    people: readonly NewUser[],
    write: Write<'write:create', 'iam:user.'>,
    sendsEmails: boolean,
  ): Promise<Result<unknown, Refused>>
  changeUsers(
    /** `expected` is the person's state in the preview; the change is refused when it differs by now. */
    changes: readonly (UserState & { readonly uid: string; readonly expected: UserState })[],
    write: Write<'write:update', 'iam:user.'>,
  ): Promise<Result<unknown, Refused>>
  /** Sends one notice about all new administrators of the file. */
  notifyAdministrators(write: Write<'write:create', 'iam:user.'>): Promise<void>
}

const SEPARATOR = '、'
const list = (text: string | undefined) =>
  (text ?? '')
    .split(/[、,，\n]/)
    .map(one => one.trim())
    .filter(one => one !== '')

const MAX_SHOWN = 50

const COLUMNS = [
  codeColumn('email', {
    header: 'メールアドレス',
    isRequired: true,
    example: 'hanako@example.jp',
    definition: 'ユーザーを見分けるメールアドレスです。',
  }),
  textColumn('roles', {
    header: 'ロール',
    example: ROLE_LABELS_JA['insight:publisher_admin'].label,
    definition: `「、」で区切ります。${ROLES.map(role => ROLE_LABELS_JA[role].label).join(SEPARATOR)}`,
  }),
  ...organizationColumns,
  textColumn('agreements', {
    header: '担当する契約',
    fields: ['agreementIds'],
    example: '',
    definition: 'パブリッシャーの担当者だけが持つ、契約コードです。「、」で区切ります。',
  }),
  choiceColumn('enabled', ENABLED, {
    header: '状態',
    example: '有効',
    definition: '空のときは、新規では「有効」になります。',
  }),
]

export function usersKind(beginFile: () => UserUseCases): ImportKind {
  return {
    name: 'users',
    title: 'ユーザー',
    description: '1行が1人です。新しい人には招待メールを、いま、または後から送ります。',
    fileName: 'users',
    needs: [
      ['write:create', 'iam:user.'],
      ['write:update', 'iam:user.'],
      ['write:update', 'iam:user_role.'],
    ],
    needsStepUp: true,
    invites: true,
    columns: COLUMNS,
    async open(reader, { sendsInvitations }) {
      const { inviteUsers, changeUsers, notifyAdministrators } = beginFile()
      const organizations = await organizationReferences(reader)
      const agreements = await reader.selectFrom('agreements').select(['id', 'code']).orderBy('code').execute()
      const references = new AgreementReferences(agreements, 'agreements')
      const users = await reader
        .selectFrom('users')
        .select(['uid', 'email', 'organizationId', 'enabled'])
        .orderBy('email')
        .execute()
      const roles = grouped(await reader.selectFrom('userRoles').select(['uid', 'roleName as value']).execute())
      const codes = grouped(
        await reader
          .selectFrom('userAgreements as u')
          .innerJoin('agreements as a', 'a.id', 'u.agreementId')
          .select(['u.uid', 'a.code as value'])
          .execute(),
      )
      const personOf = (cells: Cells) => ({
        email: cells.email ?? '',
        roles: ROLES.filter(role => list(cells.roles).includes(ROLE_LABELS_JA[role].label)),
        organizationId: cells.organizationId ? BigInt(cells.organizationId) : null,
        // `resolve` has refused unknown codes, so 0n never occurs in a row that is saved.
        agreementIds: list(cells.agreements).map(code => references.find({ code })?.id ?? 0n),
        enabled: cells.enabled !== ENABLED.false,
      })
      return {
        present: users.map(
          (user): PresentRow => ({
            id: user.uid,
            key: user.email,
            cells: {
              email: user.email,
              roles: roleText(ROLES.filter(role => roles.get(user.uid)?.includes(role))),
              ...organizations.cellsOf(user.organizationId),
              agreements: (codes.get(user.uid) ?? []).toSorted().join(SEPARATOR),
              enabled: ENABLED[user.enabled ? 'true' : 'false'],
            },
          }),
        ),
        resolve(cells) {
          const organization = organizations.find(cells)
          if (!organization.ok) return organization
          const refusals: Refused[] = []
          const wanted = list(cells.roles).flatMap(label => {
            const role = ROLES.find(one => ROLE_LABELS_JA[one].label === label || one === label)
            if (!role) refusals.push(refusal('import/role-unknown', ['roles'], { role: truncate(label, MAX_SHOWN) }))
            return role ?? []
          })
          const codesOfRow = list(cells.agreements).flatMap(code => {
            const agreement = references.demand({ code })
            if (!agreement.ok) refusals.push(...agreement.refusals)
            return agreement.ok ? agreement.value.code : []
          })
          const email = mailAddress(cells.email ?? '')
          if (email === undefined) refusals.push(refusal('user/email-invalid', ['email']))
          if (refusals.length > 0 || email === undefined) return { ok: false, refusals }
          return ok({
            ...cells,
            email,
            ...organizations.cellsOf(organization.value?.id ?? null),
            roles: roleText(ROLES.filter(role => wanted.includes(role))),
            agreements: [...new Set(codesOfRow)].toSorted().join(SEPARATOR),
          })
        },
        keyOf: ({ email = '' }) => email,
        // Part of the preview's hash, because a code may belong to another agreement when the file is confirmed.
        recordIdsOf: cells => ({ agreementIds: personOf(cells).agreementIds.join(' ') }),
        save: (write, rows) =>
          saveNewAndChanged(
            rows,
            added => {
              const people = added.map(({ cells }) => personOf(cells))
              return inviteUsers(people, write.as('write:create', 'iam:user.'), sendsInvitations)
            },
            changed =>
              saveAllowed(
                changed,
                ({ cells, present }) =>
                  cells.organizationId === present.cells.organizationId
                    ? undefined
                    : refusal('import/organization-fixed', ['organizationName']),
                allowed => {
                  const changes = allowed.map(({ cells, present: { id, cells: before } }) => ({
                    ...personOf(cells),
                    uid: id,
                    expected: personOf(before),
                  }))
                  return changeUsers(changes, write.as('write:update', 'iam:user.'))
                },
              ),
          ),
        finish: write => notifyAdministrators(write.as('write:create', 'iam:user.')),
      }
    },
  }
}

function roleText(roles: readonly Role[]): string {
  return roles.map(role => ROLE_LABELS_JA[role].label).join(SEPARATOR)
}

function grouped(rows: readonly { readonly uid: string; readonly value: string }[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { uid, value } of rows) {
    const group = groups.get(uid)
    if (group) group.push(value)
    else groups.set(uid, [value])
  }
  return groups
}
