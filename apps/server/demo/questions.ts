import { formatYen } from '@pc/domain/money/yen.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'

const DAY_MS = 86_400_000
const TEMPLATES = [
  {
    name: '確認中のご連絡',
    body: 'お問い合わせありがとうございます。\n{対象}について確認しています。結果が分かり次第、この画面でお知らせします。',
  },
  {
    name: '金額の説明',
    body: '{契約}（{媒体}）の{対象}は、ご質問いただいた時点で{質問時の値}、現在は{現在の値}です。\n金額を押すと、計算式と内訳をご確認いただけます。',
  },
] as const

/** Creates answer templates and two questions of the demonstration's publisher: one open, one answered. */
export async function keepDemoQuestions(database: Database, clock: Clock): Promise<void> {
  await database.inScope(SYSTEM, async tx => {
    const known = await tx.selectFrom('answerTemplates').select('id').limit(1).executeTakeFirst()
    if (known) return
    await tx
      .insertInto('answerTemplates')
      .values([...TEMPLATES])
      .execute()
    const asker = await personWith(tx, 'insight:publisher_admin')
    const editor = await personWith(tx, 'insight:editor')
    if (!asker || asker.organizationId === null || !editor) return
    const payments = await tx
      .selectFrom('monthlyPayments as p')
      .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
      .innerJoin('media as m', 'm.id', 'p.mediumId')
      .select(['p.id', 'p.agreementId', 'p.mediumId', 'p.month', 'p.revenueYen', 's.agreementName'])
      .select(['m.name as mediumName'])
      .where('p.organizationId', '=', asker.organizationId)
      .where('p.hasBeenFinalized', '=', true)
      .orderBy('p.month', 'desc')
      .orderBy('p.id')
      .limit(2)
      .execute()
    const texts = ['前の月より収益が少ない理由を教えてください。', '動画の収益は含まれていますか。'] as const
    for (const [index, payment] of payments.entries()) {
      const askedAt = new Date(clock.now() - (index * 4 + 1) * DAY_MS)
      const month = payment.month as YearMonth
      const answeredAt = new Date(askedAt.getTime() + DAY_MS / 4)
      const isAnswered = index === 1
      const { id } = await tx
        .insertInto('questions')
        .values({
          ...{ organizationId: asker.organizationId, askerUid: asker.uid, askerEmail: asker.email },
          ...{ askerScope: 'organization', kind: 'payment', monthlyPaymentId: payment.id },
          ...{ agreementId: payment.agreementId, mediumIds: [payment.mediumId], month, amountColumn: 'revenue' },
          subject: `${monthText(month)}分の収益`,
          context: `${payment.agreementName} / ${payment.mediumName}`,
          valueThen: formatYen(payment.revenueYen),
          unit: 'yen',
          state: isAnswered ? 'answered' : 'open',
          stateChangedAt: isAnswered ? answeredAt : askedAt,
          askedAt,
          lastMessageAt: isAnswered ? answeredAt : askedAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const requested = { questionId: id, writerUid: asker.uid, writerEmail: asker.email, isByStaff: false }
      await tx
        .insertInto('questionMessages')
        .values({ ...requested, text: texts[index]!, writtenAt: askedAt })
        .execute()
      if (isAnswered)
        await tx
          .insertInto('questionMessages')
          .values({
            questionId: id,
            writerUid: editor.uid,
            writerEmail: editor.email,
            isByStaff: true,
            text: 'はい、含まれています。収益の金額を押すと、動画SSP分の内訳をご確認いただけます。',
            writtenAt: answeredAt,
          })
          .execute()
    }
  })
}

function personWith(tx: Transaction, role: string) {
  return tx
    .selectFrom('users as u')
    .innerJoin('userRoles as r', 'r.uid', 'u.uid')
    .select(['u.uid', 'u.email', 'u.organizationId'])
    .where('r.roleName', '=', role)
    .orderBy('u.email')
    .executeTakeFirst()
}
