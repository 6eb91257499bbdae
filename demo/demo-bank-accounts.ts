import { toAccountHolderKana } from '@pc/domain/bank/account-holder-kana.ts'
import { firstDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { DEMO_ORGANIZATIONS, DEMO_WITHOUT_ACCOUNT } from './demo-catalog.ts'

/**
 * A few banks as the bank master names them, so that the first start need not wait for the master. Its import, which
 * runs in the background, replaces these rows.
 */
export const DEMO_BANKS = [
  {
    ...{ code: '0001', name: 'みずほ', kana: 'ミズホ', hira: 'みずほ', roma: 'mizuho' },
    branch: { code: '100', name: '本店', kana: 'ホンテン', hira: 'ほんてん', roma: 'honten' },
  },
  {
    ...{ code: '0009', name: '三井住友', kana: 'ミツイスミトモ', hira: 'みついすみとも', roma: 'mitsuisumitomo' },
    branch: { code: '001', name: '神保町', kana: 'ジンボウチヨウ', hira: 'じんぼうちよう', roma: 'jimbouchiyou' },
  },
  {
    ...{ code: '0134', name: '千葉', kana: 'チバ', hira: 'ちば', roma: 'chiba' },
    branch: { code: '001', name: '中央', kana: 'チユウオウ', hira: 'ちゆうおう', roma: 'chiyuuou' },
  },
  {
    ...{ code: '0149', name: '静岡', kana: 'シズオカ', hira: 'しずおか', roma: 'shizuoka' },
    branch: { code: '111', name: '本店営業部', kana: 'ホンテン', hira: 'ほんてん', roma: 'honten' },
  },
] as const

/** Account numbers have seven digits. */
const FIRST_NUMBER = 1_000_001

/**
 * An approved account for each organisation, used by all its agreements from the first month on. The account of {@link
 * DEMO_WITHOUT_ACCOUNT} is only requested: its agreements have none, and their payments are held.
 */
export async function insertBankAccounts(tx: Transaction, firstMonth: YearMonth): Promise<void> {
  const branches = await insertBranches(tx)
  const stored = await tx.selectFrom('organizations').select(['id', 'name']).execute()
  const idOf = new Map(stored.map(row => [row.name, row.id]))
  for (const [index, organization] of DEMO_ORGANIZATIONS.entries()) {
    const organizationId = idOf.get(organization.name)!
    const isDecided = organization.code !== DEMO_WITHOUT_ACCOUNT
    const at = new Date(`${firstDayOf(firstMonth)}T12:00:00+09:00`)
    const { id } = await tx
      .insertInto('bankAccounts')
      .values({
        organizationId,
        ...branches[index % branches.length]!,
        typeName: index % 5 === 4 ? 'current' : 'ordinary',
        number: String(FIRST_NUMBER + index * 11_113),
        holder: holderOf(organization.kana),
        ...(isDecided ? { state: 'approved', requestedAt: at, decidedAt: at } : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!isDecided) continue
    await sql`insert into agreement_bank_accounts (agreement_id, bank_account_id, used_from_month)
      select a.id, ${id}, ${firstMonth} from agreements a where a.organization_id = ${organizationId}`.execute(tx)
  }
}

async function insertBranches(tx: Transaction): Promise<{ bankId: bigint; bankBranchId: bigint }[]> {
  const branches = []
  for (const { branch, ...bank } of DEMO_BANKS) {
    // The bank master may have been imported by now; its rows are kept.
    const { id: bankId } = await tx
      .insertInto('banks')
      .values(bank)
      .onConflict(conflict => conflict.column('code').doUpdateSet({ code: bank.code }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: bankBranchId } = await tx
      .insertInto('bankBranches')
      .values({ bankId, ...branch })
      .onConflict(conflict => conflict.columns(['bankId', 'code']).doUpdateSet({ code: branch.code }))
      .returning('id')
      .executeTakeFirstOrThrow()
    branches.push({ bankId, bankBranchId })
  }
  return branches
}

function holderOf(kana: string): string {
  const holder = toAccountHolderKana(kana)
  if (!holder.ok) throw new Error(`${kana}: ${JSON.stringify(holder.refusals)}`)
  return holder.value
}
