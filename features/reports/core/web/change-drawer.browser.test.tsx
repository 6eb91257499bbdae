import '@pc/ui/theme/styles.ts'
import { ApolloLink, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { day } from '@pc/domain/month/day.ts'
import { makeClient } from '@pc/ui/data/client.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { makeViewer } from '@pc/ui/session/make-viewer.ts'
import { ViewerProvider } from '@pc/ui/session/viewer.tsx'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { ChangePartFieldsFragment, ExplainChangeQuery, ExplainChangeQueryVariables } from './change-drawer.gen.ts'
import { ChangeDrawer } from './change-drawer.tsx'
import { changeTable } from './change-file.ts'

const SESSION = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}

function part(key: string, label: string, difference: number, more: Partial<ChangePartFieldsFragment> = {}) {
  return {
    ...{ __typename: 'ChangePart' as const, key, label, kind: 'changed' as const, unit: 'yen' as const },
    ...{ before: 500_000, now: 500_000 + difference, difference, exactDifference: `${difference}.25` },
    ...{ memberId: null, publisherId: null },
    ...more,
  }
}
const factor = (key: string, label: string, difference: number, more: Partial<ChangePartFieldsFragment>) =>
  part(key, label, difference, { kind: 'factor', ...more })

const NOTE = {
  ...{ __typename: 'Annotation', id: '5', text: '配信枠の変更' },
  ...{ startsOn: '2026-10-12', endsOn: '2026-10-12' },
}
const ANSWER = {
  explainChange: {
    ...{ __typename: 'ExplainedChange', label: '収益', from: '2026-10-01', to: '2026-10-31' },
    ...{ comparedFrom: '2026-08-31', comparedTo: '2026-09-30', unit: 'yen', cause: 'medium' },
    ...{ before: 1_100_612, now: 988_456, difference: -112_156, exactDifference: '-112156.5' },
    sentence:
      '収益は、前の期間より112,156円（−10.1%）減りました。いちばんの要因は、媒体「みどりニュース」の減少（−98,000円）です。要素では、クリック率の低下（−80,000円）が最も影響しています。',
    factors: [
      factor('impressions', '表示回数', -42_156, { unit: 'count', before: 48_211_000, now: 46_402_311 }),
      factor('ctr', 'クリック率', -80_000, { unit: 'ratio', before: 0.0155, now: 0.0143 }),
      factor('perClick', 'クリック1回あたりの金額', 10_000, { unit: 'yenPerClick', before: 1.4, now: 1.5 }),
    ],
    dimensions: [
      {
        ...{ __typename: 'ChangeBreakdown', dimension: 'article', label: '記事' },
        parts: [
          part('9:1', '秋の味覚、今年の値段', -60_000, { memberId: '9', publisherId: '1', kind: 'gone', now: 0 }),
          part('8:1', '駅前の再開発、来春に着工', 12_000, { memberId: '8', publisherId: '1', kind: 'new', before: 0 }),
          part('7:1', '港の朝市、三年ぶり', 7_000, { memberId: '7', publisherId: '1' }),
          part('others', 'そのほかの記事', -57_000, { kind: 'others' }),
          part('outside', '記事に分けられない分', -14_156, { kind: 'outside' }),
        ],
      },
      {
        ...{ __typename: 'ChangeBreakdown', dimension: 'video', label: '動画' },
        parts: [
          part('9:1', '港の朝、市場を歩く', -100_000, { memberId: '9', publisherId: '1', now: 400_001 }),
          part('others', 'そのほかの動画', -2_000, { kind: 'others' }),
          part('outside', '動画に分けられない分', -10_156, { kind: 'outside' }),
        ],
      },
      {
        ...{ __typename: 'ChangeBreakdown', dimension: 'medium', label: '媒体' },
        parts: [
          part('2', 'みどりニュース', -98_000, { memberId: '2' }),
          part('1', 'あおいポータル', -14_156, { memberId: '1' }),
        ],
      },
    ],
    lateMedia: [],
    changedTerms: [
      {
        __typename: 'ChangedTerms',
        text: '2026年10月分から：あおい新聞社（みどりニュース）の支払率　自社広告 50% → 45%',
      },
    ],
  },
  annotations: { __typename: 'AnnotationList', nodes: [NOTE] },
  earlierAnnotations: {
    __typename: 'AnnotationList',
    nodes: [NOTE, { ...NOTE, id: '6', startsOn: '2026-09-08', endsOn: '2026-09-09', text: '前の期間のメモ' }],
  },
} as unknown as ExplainChangeQuery

async function show(answer: ExplainChangeQuery | Error = ANSWER) {
  const requested: ExplainChangeQueryVariables[] = []
  const onClose = vi.fn()
  const link = new ApolloLink(operation => {
    requested.push(operation.variables as ExplainChangeQueryVariables)
    return new Observable(observer => {
      if (answer instanceof Error) return observer.error(answer)
      observer.next({ data: { ...answer } })
      observer.complete()
    })
  })
  const viewer = makeViewer(
    { id: 'u1', email: 'a@example.jp', photoUrl: undefined, hasEmailPassAccount: true },
    {
      ...{ photoUrl: undefined, organizationId: undefined, agreementIds: [], isStateReady: true },
      roles: ['insight:viewer'],
      policies: [
        {
          actions: ['read:list', 'read:show'],
          resources: [{ name: 'insight:annotation.' }, { name: 'insight:payment_rate.' }],
        },
      ],
    },
  )
  await render(
    <ApolloProvider client={makeClient(link, SESSION)}>
      <ViewerProvider viewer={viewer}>
        <ChangeDrawer
          figure={{
            ...{ metric: 'impressions', compareWith: 'previous_period', filter: { organizationId: ['4'] } },
            range: { from: day('2026-10-01'), to: day('2026-10-31') },
          }}
          onClose={onClose}
        />
      </ViewerProvider>
    </ApolloProvider>,
  )
  return { requested, onClose, drawer: page.getByRole('dialog', { name: '増減の理由' }) }
}

const cells = (caption: string) =>
  [...page.getByRole('table', { name: caption }).element().querySelectorAll('tr')].map(row =>
    [...row.querySelectorAll('th, td:not([aria-hidden])')].map(cell => cell.textContent),
  )

test('a sentence, factors and members that sum, the days, and the notes on them', async () => {
  const { requested, drawer } = await show()
  await expect.element(drawer.getByText(/^収益は、前の期間より112,156円（−10.1%）減りました。/)).toBeVisible()
  expect(requested[0]!.param).toEqual({
    ...{ metric: 'impressions', from: '2026-10-01', to: '2026-10-31', compareWith: 'previous_period' },
    organizationIds: ['4'],
  })
  expect([requested[0]!.withNotes, requested[0]!.withTerms]).toEqual([true, true])
  expect(requested[0]).toMatchObject({
    notes: { from: '2026-10-01', to: '2026-10-31' },
    earlierNotes: { from: '2026-09-01', to: '2026-09-30' },
  })
  expect(cells('要素ごとの増減').slice(1)).toEqual([
    ['前の期間', '1,100,612'],
    ['表示回数（48,211,000 → 46,402,311）', '−42,156'],
    ['クリック率（1.55% → 1.43%）', '−80,000'],
    ['クリック1回あたりの金額（1.4 → 1.5）', '+10,000'],
    ['この期間', '988,456'],
  ])
  // The dimension of the cause comes first.
  expect(cells('媒体ごとの増減').at(-1)).toEqual(['合計', '−112,156'])
  const rounding = drawer.getByText(/^合計に合わせて端数を調整するため/)
  expect(rounding.elements()).toEqual([])
  await drawer.getByRole('radio', { name: '記事' }).click()
  expect(cells('記事ごとの増減').slice(1)).toEqual([
    ['秋の味覚、今年の値段この期間はなし500,000 → 0', '−60,000'],
    ['駅前の再開発、来春に着工新規0 → 512,000', '+12,000'],
    ['港の朝市、三年ぶり500,000 → 507,000', '+7,000'],
    ['そのほかの記事', '−57,000'],
    ['記事に分けられない分', '−14,156'],
    ['合計', '−112,156'],
  ])
  // Lists have members of the same keys, each with its own name and figures.
  await drawer.getByRole('radio', { name: '動画' }).click()
  expect(cells('動画ごとの増減').slice(1)).toEqual([
    ['港の朝、市場を歩く500,000 → 400,001', '−100,000'],
    ['そのほかの動画', '−2,000'],
    ['動画に分けられない分', '−10,156'],
    ['合計', '−112,156'],
  ])
  await expect.element(rounding).toBeVisible()
  await expect.element(drawer.getByText('配信枠の変更')).toBeVisible()
  await expect.element(drawer.getByText('前の期間のメモ')).toBeVisible()
  await expect.element(drawer.getByText(/の支払率　自社広告 50% → 45%$/)).toBeVisible()
  expect(drawer.getByText('配信枠の変更').elements()).toHaveLength(1)
  await expectAccessible(drawer.element())
})

test('a member leads to its report with the same days, and the drawer makes way', async () => {
  const { drawer, onClose } = await show()
  const medium = drawer.getByRole('link', { name: 'みどりニュース' })
  await expect.element(medium).toBeVisible()
  expect(medium.element().getAttribute('href')).toContain('#/reports/dashboard/')
  expect(decodeURIComponent(medium.element().getAttribute('href')!)).toContain('mediumId=2')
  await medium.click()
  expect(onClose).toHaveBeenCalledOnce()
  await drawer.getByRole('radio', { name: '記事' }).click()
  const article = drawer.getByRole('link', { name: '秋の味覚、今年の値段' })
  expect(article.element().getAttribute('href')).toContain('#/reports/articles/9/1/from=2026-10-01')
})

test('the change of a member is explained in its turn, and there is a way back', async () => {
  const { requested, drawer } = await show()
  await drawer.getByRole('button', { name: '−98,000' }).click()
  await expect.element(drawer.getByText('媒体「みどりニュース」')).toBeVisible()
  expect(requested[1]!.param).toEqual({ ...requested[0]!.param, mediumIds: ['2'] })
  await drawer.getByRole('radio', { name: '記事' }).click()
  // What is new or gone has nothing to be compared with.
  expect(drawer.getByRole('button', { name: '+12,000' }).elements()).toEqual([])
  await drawer.getByRole('button', { name: '+7,000' }).click()
  await expect.element(drawer.getByText('記事「港の朝市、三年ぶり」')).toBeVisible()
  expect(requested[2]!.param).toEqual({
    ...requested[1]!.param,
    ...{ metric: 'articleImpressions', of: 'article', contentIds: ['7'], publisherIds: ['1'] },
  })
  await drawer.getByRole('button', { name: '前の理由に戻る' }).click()
  await drawer.getByRole('button', { name: '前の理由に戻る' }).click()
  expect(drawer.getByRole('button', { name: '前の理由に戻る' }).elements()).toEqual([])
  await expect.element(drawer.getByText(/^収益は/)).toBeVisible()
  expect(drawer.element().contains(document.activeElement)).toBe(true)
})

test('where nothing can be compared it says so', async () => {
  const { drawer } = await show({ ...ANSWER, explainChange: null })
  await expect.element(drawer.getByText('比較できるデータがありません。期間か絞り込みを変えてください。')).toBeVisible()
})

test('what failed can be read again', async () => {
  const { drawer } = await show(new Error('offline'))
  await expect.element(drawer.getByRole('button', { name: /もう一度/ })).toBeVisible()
})

test('the file has every level with all decimals', () => {
  const table = changeTable(ANSWER.explainChange!)
  expect(table[1]).toEqual(['全体', '収益', 1_100_612, 988_456, -112156.5])
  expect(table.at(-1)).toEqual(['媒体', 'あおいポータル', 500_000, 485_844, -14156.25])
})

test.each([1440, 390])('at %s pixels nothing is cut off', async width => {
  await page.viewport(width, 900)
  const { drawer } = await show()
  await expect.element(drawer.getByText(/^収益は/)).toBeVisible()
  const body = drawer.element()
  expect(body.scrollWidth).toBeLessThanOrEqual(body.clientWidth)
})
