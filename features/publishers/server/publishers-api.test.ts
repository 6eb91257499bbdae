import { agreementFixture, monthFromNow } from '@pc/testing/system/agreement-fixture.ts'
import { dataOf, refusalsOf } from '@pc/testing/system/api-fixture.ts'
import { describe, expect, test } from 'vitest'

const fixture = agreementFixture()
const { auditCount, finalize, send } = fixture

const UPSERT_PUBLISHER = `mutation M($publisher: PublisherInput!, $rules: [AgreementPublisherRuleInput!]!) {
  upsertPublisherWithAgreementPublisherRules(publisher: $publisher, agreementPublisherRules: $rules) {
    id name kana enabled revision organization { id name }
    agreementPublisherRules { id mediumId revision agreement { id code } fixedRevenue
      paymentRate { paymentRate sspPaymentRate isTargetForSspAllocation }
      history { validFromMonth fixedRevenue paymentRate { paymentRate } } } } }`
interface Publisher {
  readonly id: string
  readonly revision: number
  readonly agreementPublisherRules: readonly {
    readonly revision: number
    readonly paymentRate: { readonly paymentRate: number } | null
    readonly history: readonly {
      readonly validFromMonth: number
      readonly paymentRate: { readonly paymentRate: number }
    }[]
  }[]
}

describe('publishers', () => {
  const save = async (as: string, publisher: object, rules: object[] = []) => {
    const answer = await send(as, UPSERT_PUBLISHER, { publisher, rules })
    return {
      answer,
      publisher: (answer.json.data as { upsertPublisherWithAgreementPublisherRules?: Publisher } | null)
        ?.upsertPublisherWithAgreementPublisherRules,
    }
  }
  const own = () => ({
    organizationId: String(fixture.system.rows.a.organizationId),
    name: '青空新聞',
    kana: 'アオゾラシンブン',
  })

  test('are saved with their rules, each dated by month', async () => {
    const agreementId = String(fixture.system.rows.a.agreementIds[0])
    const rule = {
      agreementId,
      validFromMonth: 202603,
      paymentRate: { paymentRate: 4555, isTargetForSspAllocation: true },
    }
    const created = await save('insight:editor', own(), [rule])
    expect(created.publisher).toMatchObject({
      revision: 1,
      kana: 'アオゾラシンブン',
      agreementPublisherRules: [
        {
          mediumId: '1',
          agreement: { code: 'ALPHA-1' },
          paymentRate: { paymentRate: 4555, sspPaymentRate: 0, isTargetForSspAllocation: true },
        },
      ],
    })
    const id = created.publisher?.id
    const later = { ...rule, validFromMonth: monthFromNow(3), paymentRate: { paymentRate: 6000 } }
    const changed = await save('insight:editor', { id }, [later])
    expect(changed.publisher).toMatchObject({ revision: 1 })
    expect(changed.publisher?.agreementPublisherRules[0]).toMatchObject({
      revision: 2,
      paymentRate: { paymentRate: 4555, isTargetForSspAllocation: true },
      history: [
        { validFromMonth: 202603, paymentRate: { paymentRate: 4555 } },
        { validFromMonth: monthFromNow(3), paymentRate: { paymentRate: 6000 } },
      ],
    })
    const before = await auditCount()
    await save('insight:editor', { id }, [later])
    expect(await auditCount()).toBe(before)
    const asOf = await send(
      'insight:viewer',
      `{ publisher(id: "${id}", asOfMonth: ${monthFromNow(3)}) { agreementPublisherRules { paymentRate { paymentRate } } } }`,
    )
    expect(asOf.json.data).toEqual({ publisher: { agreementPublisherRules: [{ paymentRate: { paymentRate: 6000 } }] } })
  })

  test('refuse wrong rates, foreign media and months that are final, with their paths', async () => {
    const agreementId = String(fixture.system.rows.a.agreementIds[2]) // medium 2
    await finalize(2n, 202604)
    const { answer } = await save('insight:admin', { ...own(), name: ' ' }, [])
    expect(refusalsOf(answer)).toEqual([['publisher/name-required', 'publisher.name']])
    const turned = { ...own(), name: 'あけぼの\u202eﾄﾞﾗﾎﾞ', kana: 'あけぼの\u2066' }
    expect(refusalsOf((await save('insight:admin', turned, [])).answer)).toEqual([
      ['name/hidden-characters', 'publisher.name'],
      ['name/hidden-characters', 'publisher.kana'],
    ])
    const rules = [
      { agreementId, validFromMonth: 202605, paymentRate: { paymentRate: 10001 } },
      { agreementId: '999999' },
      { agreementId: String(fixture.system.rows.a.agreementIds[0]), mediumId: '2', paymentRate: { paymentRate: 1 } },
    ]
    expect(refusalsOf((await save('insight:admin', own(), rules)).answer).sort()).toEqual([
      ['agreement/rate-out-of-range', 'agreementPublisherRules.0.paymentRate.paymentRate'],
      ['publisher/agreement-unknown', 'agreementPublisherRules.1.agreementId'],
      ['publisher/rule-medium-differs', 'agreementPublisherRules.2.mediumId'],
    ])
    const late = [{ agreementId, validFromMonth: 202604, paymentRate: { paymentRate: 1 } }]
    expect(refusalsOf((await save('insight:admin', own(), late)).answer)).toEqual([
      ['agreement/valid-from-finalized', 'agreementPublisherRules.0.validFromMonth'],
    ])
    expect(await save('insight:viewer', own()).then(one => one.answer.json.errors?.[0]?.extensions.code)).toBe(
      'FORBIDDEN',
    )
  })

  test('a new rule needs its rate, as the form does; a rule that is there keeps its own', async () => {
    const agreementId = String(fixture.system.rows.a.agreementIds[1])
    const missing = [['agreement/rate-out-of-range', 'agreementPublisherRules.0.paymentRate.paymentRate']]
    for (const paymentRate of [undefined, null, {}, { paymentRate: null }, { sspPaymentRate: 4000 }])
      expect(refusalsOf((await save('insight:admin', own(), [{ agreementId, paymentRate }])).answer)).toEqual(missing)
    const rule = { agreementId, validFromMonth: 202603, paymentRate: { paymentRate: 0 } }
    const { publisher } = await save('insight:admin', own(), [rule])
    expect(publisher?.agreementPublisherRules).toMatchObject([{ paymentRate: { paymentRate: 0 } }])
    const kept = await save('insight:admin', { id: publisher?.id }, [
      { agreementId, validFromMonth: 202604, fixedRevenue: 5 },
    ])
    expect(kept.publisher?.agreementPublisherRules).toMatchObject([{ revision: 2, paymentRate: { paymentRate: 0 } }])
  })

  test('show publishers their own rates, and staff alone the rest', async () => {
    const query =
      '{ publishers(limit: 50, offset: 0, orderBy: ID_ASC) { nodes { name notes agreementPublisherRules { fixedRevenue paymentRate { paymentRate } } } } }'
    const admin = await send('insight:publisher_admin', query)
    expect(admin.text).toContain('"paymentRate":{"paymentRate":5000}')
    expect(admin.text).not.toContain('CANARY-B')
    const codes = new Set(admin.json.errors?.map(error => `${error.path?.at(-1)} ${error.extensions.code}`))
    expect(codes).toEqual(new Set(['notes FORBIDDEN', 'fixedRevenue FORBIDDEN']))
    const editor = await send('insight:publisher_editor', query)
    expect(editor.json.errors?.some(error => error.path?.at(-1) === 'agreementPublisherRules')).toBe(true)
  })

  test('every order of the list is complete', async () => {
    for (const order of ['ID', 'CREATEDAT', 'UPDATEDAT', 'NAME']) {
      const read = async (way: string) => {
        const answer = await send(
          'insight:viewer',
          `{ publishers(limit: 1000, offset: 0, orderBy: ${order}_${way}) { nodes { id } } }`,
        )
        return dataOf<{ publishers: { nodes: { id: string }[] } }>(answer).publishers.nodes.map(node => node.id)
      }
      expect((await read('ASC')).toReversed()).toEqual(await read('DESC'))
    }
  })
})
