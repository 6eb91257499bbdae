import type { Role } from '@pc/domain/access/role.ts'
import { systemClock as clock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { apiFixture } from '@pc/testing/system/api-fixture.ts'
import { describe, expect, test } from 'vitest'

const fixture = apiFixture()
const { ask, refusals, audited, send } = fixture

describe('announcements', () => {
  const UPSERT_ANNOUNCEMENT =
    'mutation A($input: AnnouncementInput!) { upsertAnnouncement(input: $input) { id revision enabled level type title body startAt endAt closeButtonText isRead updatedAt targets { kind mediumId organizationId role } } }'
  const BELL =
    'query B($now: DateTime!) { announcements(limit: 100, offset: 0, param: { enabled: true, startAt: $now, endAt: $now }) { total nodes { id title body updatedAt isRead level type closeButtonText } } }'
  type Bell = {
    announcements: {
      total: number
      nodes: { id: string; title: string; isRead: boolean; level: string; type: string; body: string }[]
    }
  }
  const titles = async (role: Role | 'ofB') =>
    (await ask<Bell>(role, BELL, { now: new Date(clock.now()).toISOString() })).announcements.nodes.map(
      node => node.title,
    )
  const base = {
    enabled: true,
    level: 'info',
    title: '題',
    body: '<p>本文</p>',
    startAt: '2026-01-01T00:00:00Z',
    targets: [{ kind: 'all' }],
  }
  const save = async (input: object, role: Role = 'insight:editor') =>
    (
      await ask<{ upsertAnnouncement: { id: string; revision: number; body: string } }>(role, UPSERT_ANNOUNCEMENT, {
        input,
      })
    ).upsertAnnouncement

  test('the first day is 1 December 2020 in Tokyo', async () => {
    const early = { ...base, startAt: '2020-11-30T14:59:59.999Z' }
    expect(await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: early })).toEqual([
      'announcement/before-earliest-day input.startAt',
    ])
    const { id } = await save({ ...early, enabled: false, startAt: '2020-11-30T15:00:00Z' })
    expect(
      await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: { id, startAt: '0001-01-01T00:00:00Z' } }),
    ).toEqual(['announcement/before-earliest-day input.startAt'])
  })

  test('each target reaches whom it means', async () => {
    const { a, b } = fixture.system.rows
    await save({ ...base, title: '全員' })
    await save({
      ...base,
      title: '組織A',
      targets: [{ kind: 'organization', organizationId: String(a.organizationId) }],
    })
    await save({
      ...base,
      title: '組織B',
      targets: [{ kind: 'organization', organizationId: String(b.organizationId) }],
    })
    await save({ ...base, title: '編集者', targets: [{ kind: 'role', role: 'insight:publisher_editor' }] })
    await save({ ...base, title: 'メディア2', targets: [{ kind: 'medium', mediumId: '2' }] })
    await save({ ...base, title: 'メディア9', targets: [{ kind: 'medium', mediumId: '9' }] })
    await save({
      ...base,
      title: '二つ',
      targets: [
        { kind: 'medium', mediumId: '9' },
        { kind: 'role', role: 'insight:publisher_admin' },
      ],
    })
    await save({ ...base, title: '無効', enabled: false })
    await save({ ...base, title: '先', startAt: new Date(clock.now() + 60_000).toISOString() })
    await save({ ...base, title: '済', endAt: new Date(clock.now()).toISOString() })
    expect((await titles('insight:publisher_admin')).sort()).toEqual([
      'ALPHA お知らせ',
      'メディア2',
      '二つ',
      '全員',
      '組織A',
    ])
    // The editor works only for the first agreement, which is on medium 1.
    expect((await titles('insight:publisher_editor')).sort()).toEqual(['ALPHA お知らせ', '全員', '組織A', '編集者'])
    expect((await titles('ofB')).sort()).toEqual(['CANARY-B お知らせ', 'メディア2', '二つ', '全員', '組織B'])
    expect(await titles('insight:viewer')).toContain('組織B')
    const mine = await ask<Bell>(
      'insight:viewer',
      '{ announcements(limit: 100, offset: 0, param: { isAddressedToMe: true, enabled: true }) { total nodes { title } } }',
    )
    expect(mine.announcements.nodes.map(node => node.title).sort()).toEqual(
      ['先', '全員', '済', '組織A', 'ALPHA お知らせ'].sort(),
    )
    const everything = await ask<Bell>(
      'insight:publisher_admin',
      '{ announcements(limit: 100, offset: 0) { total nodes { title } } }',
    )
    expect(everything.announcements.total).toBe(5)
  })

  test('reading: the own mark only, once, for what one may see', async () => {
    const warn = await save({
      ...base,
      level: 'warn',
      title: '重要',
      targets: [{ kind: 'organization', organizationId: String(fixture.system.rows.a.organizationId) }],
    })
    const READ = 'mutation R($ids: [ID!]!) { readAnnouncements(ids: $ids) }'
    const ids = [warn.id, String(fixture.system.rows.b.announcementId), '999999']
    expect(await ask('insight:publisher_admin', READ, { ids })).toEqual({ readAnnouncements: [warn.id] })
    expect(await ask('insight:publisher_admin', READ, { ids })).toEqual({ readAnnouncements: [warn.id] })
    const isRead = async (role: Role) =>
      (
        await ask<{ announcement: { isRead: boolean; type: string } | null }>(
          role,
          'query A($id: ID!) { announcement(id: $id) { isRead type } }',
          { id: warn.id },
        )
      ).announcement
    expect(await isRead('insight:publisher_admin')).toEqual({ isRead: true, type: 'warn' })
    expect(await isRead('insight:publisher_editor')).toEqual({ isRead: false, type: 'warn' })
    expect((await audited('insight:announcement.', warn.id)).map(row => row.action)).toEqual(['create', 'read'])
    const query =
      'query K($id: ID!, $isRead: Boolean) { announcementAcknowledgements(id: $id, limit: 100, offset: 0, isRead: $isRead) { total readTotal nodes { email readAt organizationName } } }'
    type List = {
      announcementAcknowledgements: {
        total: number
        readTotal: number
        nodes: { email: string; readAt: string | null }[]
      }
    }
    const all = (await ask<List>('insight:viewer', query, { id: warn.id })).announcementAcknowledgements
    expect(all.readTotal).toBe(1)
    expect(all.nodes.every(node => !node.email.includes('canary'))).toBe(true)
    expect(all.nodes.at(-1)).toMatchObject({
      email: fixture.system.rows.users['insight:publisher_admin'].email,
      readAt: expect.any(String),
    })
    const unread = (await ask<List>('insight:viewer', query, { id: warn.id, isRead: false }))
      .announcementAcknowledgements
    expect(unread.total).toBe(all.total - 1)
    expect(await refusals('insight:publisher_admin', query, { id: warn.id })).toEqual(['FORBIDDEN'])
  })

  test('the body is cleaned at saving and again at reading', async () => {
    const saved = await save({
      ...base,
      body: '<p style="x" onclick="alert(1)">本文<script>alert(1)</script><a href="javascript:alert(1)">リンク</a></p><form><input></form>',
    })
    expect(saved.body).toBe('<p>本文リンク</p>')
    await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx
        .updateTable('announcements')
        .set({ body: '<img src=x onerror=alert(1)><b>古い</b>' })
        .where('id', '=', BigInt(saved.id))
        .execute(),
    )
    const shown = await ask<{ announcement: { body: string } }>(
      'insight:publisher_admin',
      'query A($id: ID!) { announcement(id: $id) { body } }',
      { id: saved.id },
    )
    expect(shown.announcement.body).toBe('<b>古い</b>')
  })

  test('half a character and NUL are no fault: no store could hold them', async () => {
    expect(await save({ ...base, title: 'あ\ud800い\0う', body: '<p>x\udc00\0y</p>' })).toMatchObject({
      ...{ title: 'あ\ufffdいう', body: '<p>x\ufffdy</p>' },
    })
  })

  test('without targets a new one is for everybody', async () => {
    const { targets: _, ...rest } = base
    expect(await save({ ...rest, title: '宛先なし' })).toMatchObject({
      targets: [{ kind: 'all', mediumId: null, organizationId: null, role: null }],
    })
    expect(await titles('insight:publisher_editor')).toContain('宛先なし')
  })

  test('wrong input is refused at its fields; the second of two editors is refused', async () => {
    const wrong = {
      ...base,
      title: ' ',
      body: '<script>x</script>',
      endAt: '2025-01-01T00:00:00Z',
      closeButtonText: 'あ'.repeat(21),
      targets: [],
    }
    expect((await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: wrong })).sort()).toEqual([
      'announcement/body-missing input.body',
      'announcement/button-too-long input.closeButtonText',
      'announcement/period-reversed input.endAt',
      'announcement/targets-missing input.targets',
      'announcement/title-missing input.title',
    ])
    const hidden = { ...base, title: 'お知\u2066らせ', closeButtonText: '閉じ\u200bる' }
    expect((await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: hidden })).sort()).toEqual([
      'name/hidden-characters input.closeButtonText',
      'name/hidden-characters input.title',
    ])
    for (const targets of [
      [{ kind: 'medium' }],
      [{ kind: 'role', role: 'root' }],
      [{ kind: 'all', mediumId: '1' }],
      [{ kind: 'organization', organizationId: '999999' }],
    ])
      expect(await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: { ...base, targets } })).toEqual([
        'announcement/target-wrong input.targets',
      ])
    expect(await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: { title: 'x' } })).toEqual([
      'announcement/period-missing input.startAt',
    ])
    expect(
      await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: { ...base, body: 'あ'.repeat(70_000) } }),
    ).toEqual(['announcement/body-too-long input.body'])
    const made = await save(base)
    expect(await save({ id: made.id, expectedRevision: 1, title: '新', endAt: null })).toMatchObject({ revision: 2 })
    expect(await save({ id: made.id, title: '新', targets: [{ kind: 'all' }, { kind: 'all' }] })).toMatchObject({
      revision: 2,
    })
    expect(
      await refusals('insight:admin', UPSERT_ANNOUNCEMENT, {
        input: { id: made.id, expectedRevision: 1, title: '古' },
      }),
    ).toEqual(['record/edited-by-other expectedRevision'])
    for (const role of ['insight:viewer', 'insight:publisher_admin'] as const)
      expect(await refusals(role, UPSERT_ANNOUNCEMENT, { input: base })).toEqual(['FORBIDDEN'])
  })

  test('one of another organisation is like none', async () => {
    const query = 'query A($id: ID!) { announcement(id: $id) { id title } }'
    const foreign = await send('insight:publisher_admin', query, { id: String(fixture.system.rows.b.announcementId) })
    expect(foreign.text).toBe((await send('insight:publisher_admin', query, { id: '999999' })).text)
  })
})
