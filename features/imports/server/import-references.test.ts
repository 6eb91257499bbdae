import { csvOf, importFixture } from '@pc/testing/system/import-fixture.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

/** What the names of a file mean may change between its preview and its confirmation. */
const fixture = importFixture()
const TEXTS = { organizations: 'name', publishers: 'name', media: 'name', agreements: 'code' } as const

/** Two records that exchange their names, as two renames would leave them. */
async function swap(table: keyof typeof TEXTS, one: bigint, other: bigint): Promise<void> {
  await fixture.inDatabase(async tx => {
    const [name, from] = [sql.ref(TEXTS[table]), sql.table(table)]
    const { rows } = await sql<{ id: bigint; name: string }>`select id, ${name} as name from ${from}
      where id in (${one}, ${other})`.execute(tx)
    await sql`update ${from} set ${name} = 'between' where id = ${one}`.execute(tx)
    const nameOf = (id: bigint) => rows.find(row => row.id === id)?.name
    await sql`update ${from} set ${name} = ${nameOf(one)} where id = ${other}`.execute(tx)
    await sql`update ${from} set ${name} = ${nameOf(other)} where id = ${one}`.execute(tx)
  })
}

const A = { organization: 'ALPHA 株式会社', publisher: 'ALPHA 新聞 1', agreement: 'ALPHA-1', medium: 'メディア1' }

/** Of each kind a file that names records, and the swap that gives the names another meaning. */
interface Case {
  readonly kind: string
  readonly file: readonly (readonly string[])[]
  readonly swaps: readonly [keyof typeof TEXTS, 'organizationId' | 'agreementIds' | 'publisherIds']
  /** What a file says has to be shown of which record. */
  readonly shows?: string
}
const CASES: Readonly<Record<string, Case>> = {
  'a new publisher of an organisation': {
    kind: 'publishers',
    file: [
      ['組織名', 'パブリッシャー名'],
      [A.organization, '夕刊'],
    ],
    swaps: ['organizations', 'organizationId'],
    shows: '組織ID',
  },
  'a changed publisher, known by its name': {
    kind: 'publishers',
    file: [
      ['組織名', 'パブリッシャー名', 'よみがな'],
      [A.organization, A.publisher, 'しんぶん'],
    ],
    swaps: ['publishers', 'publisherIds'],
  },
  'a new agreement of an organisation': {
    kind: 'agreements',
    file: [
      ['契約コード', '契約名', '媒体名', '組織名'],
      ['SWAP-1', '契約', A.medium, A.organization],
    ],
    swaps: ['organizations', 'organizationId'],
    shows: '組織ID',
  },
  'new terms of an agreement': {
    kind: 'terms',
    file: [
      ['契約コード', '適用開始月', '固定額（月額、円）'],
      [A.agreement, '2027-01', '500'],
    ],
    swaps: ['agreements', 'agreementIds'],
  },
  'new rules of a publisher': {
    kind: 'rules',
    file: [
      ['契約コード', 'パブリッシャー名', '適用開始月', '自社広告の支払率（%）'],
      [A.agreement, A.publisher, '2027-01', '60'],
    ],
    swaps: ['publishers', 'publisherIds'],
    shows: 'パブリッシャーID',
  },
  'an opening balance of a publisher': {
    kind: 'opening-balances',
    file: [
      ['契約コード', 'パブリッシャー名', '発生月', '金額（税抜）', '引継月'],
      [A.agreement, A.publisher, '2026-01', '900', '2026-11'],
    ],
    swaps: ['publishers', 'publisherIds'],
    shows: 'パブリッシャーID',
  },
  'an opening balance of an agreement': {
    kind: 'opening-balances',
    file: [
      ['契約コード', 'パブリッシャー名', '発生月', '金額（税抜）', '引継月'],
      [A.agreement, A.publisher, '2026-02', '900', '2026-11'],
    ],
    swaps: ['agreements', 'agreementIds'],
  },
  'an account of an organisation': {
    kind: 'bank-accounts',
    file: [
      ['組織名', '銀行コード', '支店コード', '口座番号', '口座名義（カナ）'],
      [A.organization, '0001', '100', '1112223', 'ﾏﾛﾘ'],
    ],
    swaps: ['organizations', 'organizationId'],
    shows: '組織ID',
  },
  'the account of an agreement': {
    kind: 'agreement-accounts',
    file: [
      ['契約コード', '利用開始月', '銀行コード', '支店コード', '口座番号'],
      [A.agreement, '2027-05', '1', '100', '7654321'],
    ],
    swaps: ['agreements', 'agreementIds'],
  },
  'a new feed of a publisher': {
    kind: 'feeds',
    file: [
      ['パブリッシャー名', '媒体名', 'フィード名', 'フィードのURL', '種別'],
      [A.publisher, A.medium, '号外', 'https://swap.example/feed', 'gnf1'],
    ],
    swaps: ['publishers', 'publisherIds'],
    shows: 'パブリッシャーID',
  },
  'a person of an organisation': {
    kind: 'users',
    file: [
      ['メールアドレス', 'ロール', '組織名'],
      ['swap@example.jp', 'パブリッシャーの管理者', A.organization],
    ],
    swaps: ['organizations', 'organizationId'],
    shows: '組織ID',
  },
}

const changes = () =>
  fixture.inDatabase(async tx => {
    const { rows } = await sql<{ seq: bigint }>`select seq from audit_log where action <> 'read-in-full'`.execute(tx)
    return rows.length
  })

test.each(Object.entries(CASES))(
  '%s is saved for the record that was shown',
  async (_name, { kind, file, swaps, shows }) => {
    const { a, b } = fixture.system.rows
    const [table, ids] = swaps
    const [one, other] = ids === 'organizationId' ? [a[ids], b[ids]] : [a[ids][0]!, a[ids][1]!]
    // Who sends accounts does not confirm them.
    const sender = kind === 'users' ? 'admin' : 'insight:admin'
    const sent = await fixture.upload(kind, csvOf(...file), sender)
    const seen = await fixture.read(sent.importId)
    expect(seen.rows.map(({ state, refusals }) => [state === 'new' || state === 'changed', refusals])).toEqual([
      [true, []],
    ])
    const shown = (preview: typeof seen) => preview.rows[0]?.cells.find(({ header }) => header === shows)?.text
    if (shows) expect(shown(seen)).toBe(String(one))
    const before = await changes()
    await swap(table, one, other)
    try {
      const stopped = await fixture.confirm(kind, seen)
      expect(stopped, JSON.stringify(stopped)).toMatchObject({ isNewPreview: true })
      expect(await changes()).toBe(before)
      // What is shown now is what the names mean now.
      const again = await fixture.read(stopped.importId)
      expect(again.previewSha256).not.toBe(seen.previewSha256)
      if (shows && again.rows[0]?.state !== 'refused') expect(shown(again)).toBe(String(other))
    } finally {
      await swap(table, one, other)
    }
    // The names mean again what they meant.
    expect(await fixture.confirm(kind, seen)).toMatchObject({ isNewPreview: false })
  },
)

/** Kinds whose rows name an agreement by its code; the ids of the rows are left to the use cases. */
const BY_CODE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ...Object.fromEntries(
    Object.values(CASES)
      .filter(({ file }) => file[1]?.[0] === A.agreement)
      .map(({ kind, file }) => [kind, file]),
  ),
  users: [
    ['メールアドレス', 'ロール', '組織名', '担当する契約'],
    ['code@example.jp', 'パブリッシャーの担当者', A.organization, A.agreement],
  ],
}

test.each(Object.entries(BY_CODE))(
  '%s: a code that two agreements of an earlier version share, but for its form, names neither',
  async (kind, file) => {
    const { a, b } = fixture.system.rows
    const [own, other] = [a.agreementIds[0]!, b.agreementIds[0]!]
    const setCode = (code: string) =>
      fixture.inDatabase(async tx => {
        const before = await tx
          .selectFrom('agreements')
          .select('code')
          .where('id', '=', other)
          .executeTakeFirstOrThrow()
        await tx.updateTable('agreements').set({ code }).where('id', '=', other).execute()
        return before.code
      })
    const code = await setCode('ＡＬＰＨＡ−１')
    try {
      const seen = await fixture.preview(kind, csvOf(...file))
      expect(seen.rows.map(({ state, refusals }) => [state, refusals.map(({ text }) => text)])).toEqual([
        ['refused', [expect.stringContaining(`契約「${A.agreement}」は複数あります（ID ${own}、${other}）`)]],
      ])
    } finally {
      await setCode(code)
    }
  },
)

test('a preview of a version that did not keep the records is shown again', async () => {
  const seen = await fixture.preview('publishers', csvOf(['組織名', 'パブリッシャー名'], [A.organization, '朝刊']))
  await fixture.inDatabase(tx =>
    tx
      .updateTable('importRows')
      .set({ recordIds: JSON.stringify({}) })
      .where('importId', '=', BigInt(seen.id))
      .execute(),
  )
  const stopped = await fixture.confirm('publishers', seen)
  expect(stopped).toMatchObject({ isNewPreview: true })
  expect(await fixture.confirm('publishers', await fixture.read(stopped.importId))).toMatchObject({
    isNewPreview: false,
  })
})
