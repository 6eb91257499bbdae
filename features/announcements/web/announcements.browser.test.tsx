import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { announcementCreateRoute, announcementEditRoute, announcementsRoute } from './announcements-route.ts'

const SCREENS = [announcementsRoute, announcementCreateRoute, announcementEditRoute]
const ROW = {
  __typename: 'Announcement',
  id: '4',
  title: 'メンテナンス',
  level: 'warn',
  enabled: true,
  endAt: null,
  startAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
  isRead: true,
  targets: null,
}
const TARGET = {
  __typename: 'AnnouncementTarget',
  kind: 'organization',
  mediumId: null,
  role: null,
  organizationId: '3',
  organizationName: '東都新聞社',
}
const DETAIL = { ...ROW, body: '<p>本日</p>', closeButtonText: '閉じる', revision: 2, targets: [TARGET] }
const ANSWERS = {
  MediumOptions: { availableMedia: { __typename: 'MediumList', nodes: [] } },
  OrganizationOptions: { organizations: { __typename: 'OrganizationOptionList', nodes: [] } },
  Announcements: { announcements: { __typename: 'AnnouncementList', total: 1, nodes: [ROW] } },
  AnnouncementDetail: { announcement: DETAIL },
  UpsertAnnouncement: { upsertAnnouncement: { __typename: 'Announcement', id: '5', title: 'x' } },
}

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

test('the list leads to each announcement, and stands on a phone', async () => {
  await showScreen({ screens: SCREENS, path: '/announcements', role: 'insight:editor', answers: ANSWERS })
  const link = page.getByRole('link', { name: 'メンテナンス' })
  await expect.element(link).toHaveAttribute('href', '#/announcements/4')
  await expectAccessible()
  await page.viewport(390, 844)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible()
})

test('the list separates what is shown now from what was and what will be', async () => {
  const at = (id: string, more: object) => ({ ...ROW, id, title: `題${id}`, ...more })
  const nodes = [
    at('1', { enabled: false }),
    at('2', { startAt: '2999-01-01T00:00:00Z' }),
    at('3', { endAt: '2026-11-02T00:00:00Z' }),
    at('4', { endAt: '2999-01-01T00:00:00Z' }),
    at('5', {}),
  ]
  const answers = { ...ANSWERS, Announcements: { announcements: { __typename: 'AnnouncementList', total: 5, nodes } } }
  await showScreen({ screens: SCREENS, path: '/announcements', role: 'insight:editor', answers })
  const states = ['非公開', '掲載前', '終了', '掲載中', '掲載中']
  for (const [index, state] of states.entries())
    await expect.element(page.getByRole('row', { name: new RegExp(`題${index + 1} 重要 ${state}`) })).toBeVisible()
})

test('readers see neither the filter nor the columns that serve editing', async () => {
  const answers = {
    ...ANSWERS,
    Announcements: { announcements: { __typename: 'AnnouncementList', total: 1, nodes: [ROW] } },
  }
  await showScreen({ screens: SCREENS, path: '/announcements', role: 'insight:publisher_admin', answers })
  await expect.element(page.getByRole('row', { name: /メンテナンス 重要/ })).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: '掲載' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('columnheader', { name: '更新日時' })).not.toBeInTheDocument()
})

test('those that the system sent to several organisations in one month are one row, until they are opened', async () => {
  const title = '2026年9月分の支払通知書を発行しました'
  const sent = (id: string, startAt: string) => {
    const targets = [{ ...TARGET, organizationName: `第${id}新聞社` }]
    return { ...ROW, id, title, startAt, targets }
  }
  const nodes = [
    sent('11', '2026-10-10T01:00:00Z'),
    sent('12', '2026-10-10T02:00:00Z'),
    sent('13', '2026-10-11T01:00:00Z'),
    // A late one of the next month is a row of its own.
    sent('14', '2026-11-02T01:00:00Z'),
  ]
  const answers = { ...ANSWERS, Announcements: { announcements: { __typename: 'AnnouncementList', total: 4, nodes } } }
  await showScreen({ screens: SCREENS, path: '/announcements', role: 'insight:editor', answers })
  const links = page.getByRole('link', { name: title })
  await expect.poll(() => links.elements().length).toBe(2)
  await page.getByRole('button', { name: /同じお知らせ2件を表示$/ }).click()
  await expect.poll(() => links.elements().length).toBe(4)
  // What tells one from another.
  for (const id of [11, 12, 13, 14]) await expect.element(page.getByText(`第${id}新聞社`)).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: /同じお知らせ2件をまとめる$/ }).click()
  await expect.poll(() => links.elements().length).toBe(2)
})

test('staff sees the addressees: everybody, or the first two and how many more', async () => {
  const all = { ...TARGET, kind: 'all', organizationId: null, organizationName: null }
  const nodes = [
    { ...ROW, targets: [all] },
    {
      ...{ ...ROW, id: '5', title: '計画停電' },
      targets: [
        TARGET,
        { ...all, kind: 'role', role: 'insight:publisher_editor' },
        { ...all, kind: 'medium', mediumId: '1' },
      ],
    },
  ]
  const answers = { ...ANSWERS, Announcements: { announcements: { __typename: 'AnnouncementList', total: 2, nodes } } }
  await showScreen({ screens: SCREENS, path: '/announcements', role: 'insight:editor', answers })
  await expect.element(page.getByText('すべてのユーザー')).toBeVisible()
  await expect.element(page.getByText(/^東都新聞社、.+、ほか1件$/)).toBeVisible()
})

test('a long title is there as a whole where the list has room', async () => {
  const title = '11月の月次締めと振込の日程について（金融機関の休業日による変更のお知らせ）'
  const nodes = [{ ...ROW, title }]
  const answers = { ...ANSWERS, Announcements: { announcements: { __typename: 'AnnouncementList', total: 1, nodes } } }
  await showScreen({ screens: SCREENS, path: '/announcements', role: 'insight:editor', answers })
  const link = await page.getByRole('link', { name: title }).findElement()
  expect(link.scrollWidth).toBeLessThanOrEqual(link.clientWidth)
})

test('a form that is opened again shows the organisations by name, and its text in the editor', async () => {
  await showScreen({ screens: SCREENS, path: '/announcements/edit/4', role: 'insight:editor', answers: ANSWERS })
  await expect.element(page.getByRole('combobox', { name: '組織（1）' })).toHaveValue('東都新聞社')
  await expect.element(page.getByRole('textbox', { name: '本文' })).toHaveTextContent('本日')
  await expectAccessible()
})

test('a new announcement by keyboard; what is missing stands at its field', async () => {
  const path = '/announcements/create'
  const { operations } = await showScreen({ screens: SCREENS, path, role: 'insight:editor', answers: ANSWERS })
  const title = page.getByRole('textbox', { name: 'タイトル' })
  await expect.element(title).toBeVisible()
  ;(title.element() as HTMLElement).focus()
  await userEvent.keyboard('お知らせの題{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('alert').first()).toBeVisible()
  const body = page.getByRole('textbox', { name: '本文' })
  await expect.element(body).toBeVisible()
  ;(body.element() as HTMLElement).focus()
  await userEvent.keyboard('本文です')
  await page.getByRole('textbox', { name: '掲載開始', exact: true }).fill('2026/11/1')
  await page.getByRole('textbox', { name: '掲載開始の時刻' }).fill('9:00')
  await expectAccessible()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('お知らせ「お知らせの題」を保存しました。')).toBeVisible()
  expect(operations.find(one => one.name === 'UpsertAnnouncement')?.variables).toMatchObject({
    input: { title: 'お知らせの題', body: '<p>本文です</p>', startAt: '2026-11-01T09:00:00+09:00' },
  })
})
