import '@pc/ui/theme/styles.ts'
import { clientPolicy, policyRow } from '@pc/domain/access/client-policy.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { GRANTS_OF_ROLE } from '@pc/domain/access/role-policies.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { refusedWith, type SentOperation, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { accessExplanationRoute } from './access-explanation-route.ts'
import { auditLogRoute } from './audit-log-route.ts'
import { organizationCreateRoute } from './organization-create-route.ts'
import { organizationEditRoute } from './organization-edit-route.ts'
import { organizationsRoute } from './organizations-route.ts'
import { rolesRoute } from './roles-route.ts'
import { SecondFactorNotice } from './second-factor-notice.tsx'
import { secondFactorRoute } from './second-factor-route.ts'

const SCREENS = [
  organizationsRoute,
  organizationCreateRoute,
  organizationEditRoute,
  rolesRoute,
  secondFactorRoute,
  accessExplanationRoute,
  auditLogRoute,
]

type Answers = Parameters<typeof showScreen>[0]['answers']
const open = (path: string, answers: Answers, role: Role = 'iam:admin') =>
  showScreen({ screens: SCREENS, path, role, answers })

function last(operations: readonly SentOperation[], name: string) {
  return operations.findLast(one => one.name === name)?.variables
}

afterEach(async () => {
  dismissAllToasts()
  await page.viewport(1440, 900)
})

describe('roles', () => {
  /** As the API answers them: made from the one table. */
  const answerFor = (role: Role) => ({
    roles: {
      __typename: 'RoleList',
      nodes: [{ __typename: 'Role', name: role, ...ROLE_LABELS_JA[role] }],
    },
    policies: {
      __typename: 'PolicyList',
      nodes: (GRANTS_OF_ROLE.get(role) ?? []).map(grant => {
        const { actions, resources } = clientPolicy(policyRow(grant, role))
        return {
          __typename: 'Policy',
          actions,
          resources: resources.map(one => ({ __typename: 'PolicyResource', ...one })),
        }
      }),
    },
  })
  const byRole = ({ role }: Readonly<Record<string, unknown>>) => answerFor(role as Role)
  const cells = (name: string) =>
    [...document.querySelectorAll('tr')]
      .filter(row => row.querySelector('th[scope="row"]')?.textContent === name)
      .flatMap(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))

  test('say what each may do, and to which rows', async () => {
    await open('/roles/role=insight:publisher_admin', { Roles: answerFor('insight:publisher_admin') })
    const table = page.getByRole('table', { name: 'パブリッシャーの管理者ができること' })
    await expect.element(table).toBeVisible()
    expect(cells('記事')).toEqual(['できる', 'できる', 'できない', 'できない', 'できる', '所属する組織のもの'])
    expect(cells('月次の支払').at(-1)).toBe('確定済みの月のもの、所属する組織のもの')
    expect(cells('支払率')).toEqual(['できない', 'できる', 'できない', 'できない', 'できない', '所属する組織のもの'])
    expect(page.getByText('クーポン管理', { exact: true }).elements()).toHaveLength(0)
    await expectAccessible()
  })

  test('the global administrator’s wildcard reads as everything', async () => {
    await open('/roles', { Roles: answerFor('admin') })
    await expect.element(page.getByRole('table', { name: '全体管理者ができること' })).toBeVisible()
    expect(page.getByText('できない', { exact: true }).elements()).toHaveLength(0)
  })

  test('the role is in the address', async () => {
    const { operations } = await open('/roles', { Roles: byRole })
    await page.getByRole('link', { name: /^クーポン編集者/ }).click()
    await expect.poll(() => last(operations, 'Roles')).toEqual({ role: 'coupon:editor' })
    await expect.element(page.getByRole('link', { name: /^クーポン編集者/ })).toHaveAttribute('aria-current', 'page')
  })

  test.each([1100, 390])('fit into %i px', async width => {
    await page.viewport(width, 844)
    await open('/roles/role=insight:publisher_admin', { Roles: answerFor('insight:publisher_admin') })
    await expect.element(page.getByRole('table')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await expectAccessible()
  })
})

describe('the rule of the second factor', () => {
  const rule = (more: object = {}) => ({
    __typename: 'SecondFactorRule',
    isRequired: false,
    graceDays: 14,
    requiredFrom: '2026-11-20T00:00:00Z',
    revision: 3,
    roles: ['admin', 'insight:admin'],
    isAtIssuer: false,
    ...more,
  })
  const people = { __typename: 'PeopleWithoutSecondFactor', total: 102, emails: ['hana@example.jp', 'jiro@example.jp'] }
  const asking = (now: object) => ({ secondFactorRule: now, peopleWithoutSecondFactor: people })

  test('says whom it concerns and who is without one, and is switched on with its days', async () => {
    let kept = rule()
    const read = () => asking(kept)
    const save = () => {
      kept = rule({ isRequired: true, graceDays: 7, revision: 4 })
      return { saveSecondFactorRule: kept }
    }
    const { operations } = await open('/second-factor', { SecondFactorRule: read, SaveSecondFactorRule: save })
    await expect.element(page.getByText('全体管理者、パブリッシャーセンター管理者')).toBeVisible()
    await expect.element(page.getByText('102人：hana@example.jp、jiro@example.jp、ほか100人')).toBeVisible()
    await expectAccessible()
    await page.getByRole('switch', { name: '2段階認証' }).click()
    await page.getByLabelText('猶予期間').fill('91')
    await page.getByRole('button', { name: '保存する' }).click()
    await expect.element(page.getByText('猶予期間は0日以上90日以内で入力してください。').first()).toBeVisible()
    await page.getByLabelText('猶予期間').fill('7')
    await page.getByRole('button', { name: '保存する' }).click()
    await expect.element(page.getByText('2段階認証の設定を保存しました。')).toBeVisible()
    expect(last(operations, 'SaveSecondFactorRule')).toMatchObject({
      isRequired: true,
      graceDays: 7,
      expectedRevision: 3,
    })
    await expect.element(page.getByText('必須にした日時')).toBeVisible()
    await expect.element(page.getByRole('switch', { name: '2段階認証' })).toBeChecked()
  })
  test('is not for people who give no roles', async () => {
    await open('/second-factor', { SecondFactorRule: asking(rule()) }, 'iam:viewer')
    expect(page.getByRole('switch').elements()).toHaveLength(0)
  })
  test.each([
    [false, /期限：2026年12月4日 09:00/],
    [true, /会社のアカウントに2段階認証を設定/],
  ] as const)('is said before its days are over; at an issuer (%s) with what to do there', async (isAtIssuer, text) => {
    const home = defineRoute({
      path: '/home',
      title: 'ホーム',
      allow: { action: 'read:list', resource: 'iam:user.' },
      view: async () => SecondFactorNotice,
    })
    const notice = { __typename: 'SecondFactorNotice', dueAt: '2026-12-04T00:00:00Z', isAtIssuer }
    await showScreen({
      screens: [home],
      path: '/home',
      role: 'admin',
      answers: { SecondFactorNotice: { secondFactorNotice: notice } },
    })
    await expect.element(page.getByRole('region', { name: '2段階認証のお願い' })).toMatchTextContent(text)
    expect(page.getByRole('link', { name: '設定する' }).elements()).toHaveLength(isAtIssuer ? 0 : 1)
    await expectAccessible()
  })
})

describe('the explanation of access', () => {
  const user = {
    __typename: 'User',
    uid: 'u2',
    email: 'hanako@example.jp',
    organization: null,
    roles: [{ __typename: 'UserRole', label: 'パブリッシャーの担当者' }],
  }
  const sentence = 'hanako@example.jpさんは、…のポリシーにより、契約「12」を閲覧できます。'
  const explained = (isAllowed: boolean) => ({
    explainAccess: { __typename: 'AccessExplanation', isAllowed, sentence, role: null, conditions: [] },
  })

  test('is one sentence about a question that is chosen by keyboard', async () => {
    const { operations } = await open('/access-explanation', {
      ExplainedUsers: { users: { __typename: 'UserList', nodes: [user] } },
      ExplainedUser: { user },
      AccessExplanation: explained(true),
    })
    await expect.element(page.getByText('ユーザーを選ぶと、ここに説明が表示されます。')).toBeVisible()
    ;(page.getByRole('button', { name: /^ユーザー/ }).element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}hanako')
    await expect.element(page.getByRole('button', { name: /^hanako@example.jp/ })).toBeVisible()
    await userEvent.keyboard('{Tab}{Enter}')
    await expect.element(page.getByText(sentence)).toBeVisible()
    await page.getByRole('combobox', { name: '操作' }).selectOptions('閲覧')
    await page.getByLabelText(/^ID/).fill('12')
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => last(operations, 'AccessExplanation'))
      .toEqual({ userID: 'u2', action: 'read:show', resource: 'insight:agreement.', rowId: '12' })
    await expect.poll(() => location.hash).toBe('#/access-explanation/user=u2&action=read:show&row=12')
    await expectAccessible()
  })

  test('says no as clearly, and passes on why it cannot be said', async () => {
    await open('/access-explanation/user=u2', { ExplainedUser: { user }, AccessExplanation: explained(false) })
    await expect.element(page.getByText('できません', { exact: true })).toBeVisible()
    await expectAccessible()
  })

  test('passes on what is wrong with the question', async () => {
    const message = 'この種類のデータは、1件ずつの説明に対応していません。'
    await open('/access-explanation/user=u2&row=12', {
      ExplainedUser: { user },
      AccessExplanation: refusedWith('access/row-not-explained', message, ['rowId']),
    })
    await expect.element(page.getByText(message, { exact: true })).toBeVisible()
  })
})

describe('the audit log', () => {
  const entry = {
    __typename: 'AuditLogEntry',
    seq: '12',
    at: '2026-11-20T03:04:05.000Z',
    actorUid: 'u1',
    actorEmail: 'admin@example.jp',
    actingAsEmail: null,
    sourceAddress: '192.0.2.7',
    requestId: 'r-1',
    action: 'update-roles',
    resourceName: 'iam:user.',
    resourceLabel: 'ユーザー',
    rowId: 'u2',
    before: JSON.stringify({ email: 'hanako@example.jp', roles: ['insight:publisher_editor'], enabled: true }),
    after: JSON.stringify({ email: 'hanako@example.jp', roles: ['insight:publisher_admin'], enabled: true }),
  }
  const log = { auditLog: { __typename: 'AuditLog', total: 1, nodes: [entry] } }
  const verdict = (problems: readonly string[], anchoredUpTo = 10, readEarlier: object | null = null) => ({
    auditLogVerdict: {
      __typename: 'AuditLogVerdict',
      isWhole: problems.length === 0,
      rows: 12,
      anchoredUpTo,
      problems,
      readEarlier,
    },
  })

  test('shows who did what, with the values before and after', async () => {
    await open('/audit-log', { AuditLog: log, AuditLogVerdict: verdict([]) })
    await expect
      .element(page.getByRole('status'))
      .toHaveTextContent('検証済み：12件の記録は改ざんされていません（10件目まで外部の控えと一致）')
    const summary = page.getByText('ロールの変更')
    await expect.element(summary).toBeVisible()
    await expect.element(page.getByText('2026年11月20日 12:04:05')).toBeVisible()
    await expectAccessible()
    ;(summary.element().closest('summary') as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    const roles = page.getByRole('row', { name: /^ロール/ })
    await expect.element(roles).toHaveTextContent('ロールパブリッシャーの担当者パブリッシャーの管理者')
    await expect.element(page.getByText('192.0.2.7')).toBeVisible()
    await expectAccessible()
  })

  test('asks for days of Tokyo, the last one included', async () => {
    const { operations } = await open('/audit-log/from=2026-11-01&to=2026-11-19&resource=iam:user.', {
      AuditLog: log,
      AuditLogVerdict: 'never',
    })
    await expect.element(page.getByText('ロールの変更')).toBeVisible()
    expect(last(operations, 'AuditLog')?.param).toEqual({
      from: '2026-11-01T00:00:00+09:00',
      until: '2026-11-20T00:00:00+09:00',
      resourceName: 'iam:user.',
      rowId: null,
    })
  })

  test('says which rows of a long log were verified when, and verifies all of them on request', async () => {
    const readEarlier = { __typename: 'AuditLogReadEarlier', upTo: 9, at: '2026-11-20T00:30:00Z' }
    const answer = ({ fromTheStart }: Readonly<Record<string, unknown>>) =>
      verdict([], 10, fromTheStart ? null : readEarlier)
    const { operations } = await open('/audit-log', {
      AuditLog: log,
      AuditLogVerdict: answer,
    })
    const status = page.getByRole('status')
    await expect
      .element(status)
      .toHaveTextContent(
        '検証済み：12件の記録は改ざんされていません（10件目まで外部の控えと一致）。9件目までは2026年11月20日 09:30に検証し、今回はそれより後を検証しました。',
      )
    await expectAccessible()
    await page.getByRole('button', { name: 'すべて検証し直す' }).click()
    await expect.element(page.getByRole('button', { name: 'もう一度検証する' })).toBeVisible()
    await expect.element(status).not.toHaveTextContent('今回は')
    expect(last(operations, 'AuditLogVerdict')).toEqual({ fromTheStart: true })
  })

  test('says loudly when the chain does not hold', async () => {
    await open('/audit-log', { AuditLog: log, AuditLogVerdict: verdict(['row 7: was changed']) })
    await expect.element(page.getByRole('status')).toMatchTextContent(/^記録に問題があります/)
    await expect.element(page.getByText('row 7: was changed')).toBeVisible()
    await expectAccessible()
  })

  test('of a new system is not called broken before its first copy was made', async () => {
    await open('/audit-log', { AuditLog: log, AuditLogVerdict: verdict(['the anchor file is missing'], 0) })
    await expect.element(page.getByRole('status')).toMatchTextContent(/外部の控えがまだありません/)
  })

  test('is not for who only looks at people', async () => {
    const { operations } = await open('/audit-log', {}, 'iam:viewer')
    await expect.element(page.getByRole('heading', { name: '「操作の記録」を表示する権限がありません' })).toBeVisible()
    expect(operations).toEqual([])
  })

  test.each([1100, 390])('fits into %i px', async width => {
    await page.viewport(width, 844)
    await open('/audit-log', { AuditLog: log, AuditLogVerdict: verdict([]) })
    await page.getByText('ロールの変更').click()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await expectAccessible()
  })
})

describe('organisations', () => {
  const organization = (userCount: number) => ({
    __typename: 'Organization',
    id: '7',
    name: '株式会社朝霧新聞社',
    userCount,
    postalCode: '100-0001',
    address: '東京都千代田区千代田1-1',
    revision: 4,
    createdAt: '2026-10-01T01:02:03.000Z',
    updatedAt: '2026-10-01T01:02:03.000Z',
  })
  const list = { organizations: { __typename: 'OrganizationList', total: 1, nodes: [organization(3)] } }

  test('are listed, and registered by keyboard alone', async () => {
    const { operations } = await open('/organizations', {
      Organizations: list,
      CreateOrganization: { createOrganization: { __typename: 'Organization', id: '8', name: '東都新聞社' } },
    })
    await expect.element(page.getByRole('link', { name: '株式会社朝霧新聞社' })).toBeVisible()
    await expectAccessible()
    ;(page.getByRole('link', { name: '組織を登録' }).element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByLabelText(/^組織名/)).toBeVisible()
    await page.getByRole('button', { name: '組織を登録' }).click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/組織名を1文字以上200文字以内で入力してください。/)
    await page.getByLabelText(/^組織名/).fill('東都新聞社')
    await page.getByLabelText(/^郵便番号/).fill('100-001')
    await page.getByRole('button', { name: '組織を登録' }).click()
    await expect.element(page.getByLabelText(/^郵便番号/)).toHaveAccessibleDescription(/7桁の数字/)
    await page.getByLabelText(/^郵便番号/).fill('１００－０００１')
    await page.getByLabelText(/^住所/).fill('東京都千代田区千代田1-1')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.element(page.getByText('「東都新聞社」を登録しました。')).toBeVisible()
    expect(last(operations, 'CreateOrganization')).toMatchObject({
      ...{ name: '東都新聞社', postalCode: '１００－０００１', address: '東京都千代田区千代田1-1' },
    })
  })

  test('of a name that another one has are made once that is confirmed', async () => {
    const taken = '同じ名前の組織「株式会社朝霧新聞社」（ID 7）が登録されています。'
    const answerTo = ({ confirmsSameName }: Readonly<Record<string, unknown>>) =>
      confirmsSameName === true
        ? { createOrganization: { __typename: 'Organization', id: '8', name: '株式会社朝霧新聞社' } }
        : refusedWith('organization/name-taken', taken, ['name'])
    const { operations } = await open('/organizations/create', {
      Organizations: list,
      CreateOrganization: answerTo,
    })
    await page.getByLabelText(/^組織名/).fill('株式会社朝霧新聞社')
    await page.getByRole('button', { name: '組織を登録' }).click()
    await expect.element(page.getByRole('alertdialog', { name: '同じ名前の組織があります' })).toBeVisible()
    await expectAccessible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByLabelText(/^組織名/)).toHaveAccessibleDescription(new RegExp(taken))
    await page.getByRole('button', { name: '組織を登録' }).click()
    await page.getByRole('button', { name: '別の組織として保存する' }).click()
    await expect.element(page.getByText('「株式会社朝霧新聞社」を登録しました。')).toBeVisible()
    expect(operations.filter(one => one.name === 'CreateOrganization')).toHaveLength(3)
    expect(last(operations, 'CreateOrganization')).toMatchObject({ confirmsSameName: true })
  })

  test('renamed by somebody else meanwhile show the difference, and my name can be laid over it', async () => {
    const message = 'hanako@example.jpさんが2026-10-02 10:05にこの内容を変更しました。'
    let name = '株式会社朝霧新聞社'
    const stored = () => ({ organization: { ...organization(0), name, revision: name.endsWith('A') ? 5 : 4 } })
    const answerTo = ({ expectedRevision }: Readonly<Record<string, unknown>>) => {
      if (expectedRevision === 5) return { updateOrganization: { __typename: 'Organization', id: '7', name: '社B' } }
      name = '株式会社朝霧新聞社A'
      return refusedWith('record/edited-by-other', message, ['expectedRevision'])
    }
    const { operations } = await open('/organizations/edit/7', {
      OrganizationEdit: stored,
      UpdateOrganization: answerTo,
    })
    await page.getByLabelText(/^組織名/).fill('株式会社朝霧新聞社B')
    await page.getByRole('button', { name: '保存する' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'ほかの方が先に変更しました' })
    await expect
      .element(dialog.getByRole('row', { name: /組織名/ }))
      .toHaveTextContent('組織名株式会社朝霧新聞社株式会社朝霧新聞社A株式会社朝霧新聞社B')
    await expect.element(dialog.getByText(message)).toBeVisible()
    await expectAccessible()
    await dialog.getByRole('button', { name: '最新の内容に自分の変更を重ねる' }).click()
    await expect.element(page.getByLabelText(/^組織名/)).toHaveValue('株式会社朝霧新聞社B')
    await page.getByRole('button', { name: '保存する' }).click()
    await expect.element(page.getByText('「株式会社朝霧新聞社B」を保存しました。')).toBeVisible()
    const sent = operations.filter(one => one.name === 'UpdateOrganization').map(one => one.variables)
    expect(sent).toMatchObject([{ expectedRevision: 4 }, { expectedRevision: 5, name: '株式会社朝霧新聞社B' }])
  })

  test('with people in it cannot be deleted, and say why', async () => {
    await open('/organizations/edit/7', { OrganizationEdit: { organization: organization(3) } })
    const button = page.getByRole('button', { name: '組織を削除' })
    await expect.element(button).toBeDisabled()
    await expect.element(button).toHaveAccessibleDescription(/ユーザーが3人登録されています/)
    await expect.element(page.getByRole('link', { name: '3人' })).toHaveAttribute('href', '#/users/organizationId=7')
    await expectAccessible()
  })

  test('that are in use otherwise say why when the server refuses', async () => {
    const message = 'この組織にはユーザー0人、契約2件、パブリッシャー1件が登録されています。'
    await open('/organizations/edit/7', {
      OrganizationEdit: { organization: organization(0) },
      DeleteOrganization: refusedWith('organization/in-use', message, ['id']),
    })
    await page.getByRole('button', { name: '組織を削除' }).click()
    await page.getByRole('button', { name: '組織を削除する' }).click()
    await expect.element(page.getByText(message, { exact: true })).toBeVisible()
    await expect.element(page.getByRole('button', { name: '組織を削除' })).toBeDisabled()
  })

  test('are for reading only to who only looks', async () => {
    await open('/organizations/edit/7', { OrganizationEdit: { organization: organization(0) } }, 'iam:viewer')
    await expect.element(page.getByText(/閲覧のみの権限です/).first()).toBeVisible()
    expect(page.getByRole('button', { name: '組織を削除' }).elements()).toHaveLength(0)
  })
})
