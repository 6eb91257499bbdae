import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { importBankMaster, packagedBankMaster } from '@pc/features/bank-accounts/server/import-bank-master.ts'
import { openLog } from '@pc/platform/log.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sharedDataFile } from '@pc/testing/shared-data.ts'
import { sql } from 'kysely'
import { openDependencies } from '../apps/server/open-dependencies.ts'
import { ROOT } from '../tools/source-tree.ts'
import { prepareBooks } from './prepare-books.ts'
import { benchConfig, benchFolder, PUBLISHER_EMAIL, STAFF_EMAIL } from './prepare-store.ts'

/**
 * Increase it when the generator changes: folders of another version, or with other migrations, are generated again.
 */
const VERSION = '2'

export interface ListSize {
  readonly publishers: number
  readonly articles: number
}
/** The size for which the search target is defined. */
export const LIST_SIZE: ListSize = { publishers: 100_000, articles: 200_000 }
/** Publishers of the organisation whose administrator sends the requests. */
const OWN_PUBLISHERS = 500

/** Titles and company names: from real files if available, otherwise made of news words. */
export interface ListTexts {
  readonly titles: readonly string[]
  readonly companies: readonly { readonly name: string; readonly kana: string }[]
}

/** Creates a data folder with master data if it does not exist yet. */
export async function prepareLists(
  dataDir: string,
  size: ListSize,
  say: (text: string) => void,
): Promise<{ readonly folder: string; readonly texts: ListTexts }> {
  const folder = benchFolder(dataDir, 'lists')
  const stamp = path.join(folder, 'made')
  const texts = listTexts()
  const migrations = fs.readdirSync(path.join(ROOT, 'db/postgres')).filter(name => name.endsWith('.sql'))
  const wanted = JSON.stringify({ VERSION, size, migrations, titles: texts.titles.length })
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return { folder, texts }
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  const parts = await openDependencies({
    config: benchConfig(folder, 4900),
    log: openLog('warn'),
    ownsDeliveries: true,
  })
  try {
    const started = performance.now()
    const long = { statementTimeoutMs: 900_000 }
    const { version, banks } = await packagedBankMaster()
    await parts.database.inScope(SYSTEM, tx => importBankMaster(tx, { version, banks }), long)
    await parts.database.inScope(SYSTEM, tx => insertPublishers(tx, size, texts), long)
    await parts.database.inScope(SYSTEM, tx => insertAgreements(tx), long)
    await parts.database.inScope(SYSTEM, tx => insertContent(tx, size, texts), long)
    await parts.database.inScope(SYSTEM, tx => insertPeople(tx), long)
    await parts.database.inScope(SYSTEM, tx => insertAnnouncements(tx, texts), long)
    say(`lists of ${size.publishers} publishers and ${size.articles} articles: ${elapsed(started)} s`)
  } finally {
    await parts.close()
  }
  await prepareBooks(folder, say)
  fs.writeFileSync(stamp, wanted)
  return { folder, texts }
}

async function insertPublishers(tx: Transaction, { publishers }: ListSize, { companies }: ListTexts): Promise<void> {
  const names = companies.map(company => company.name)
  const kana = companies.map(company => company.kana)
  await sql`insert into media (id, name) values (1, 'ニュースアプリ'), (2, 'ライト版'), (3, 'クーポン'), (4, 'テレビ'), (9, 'キャリア')`.execute(
    tx,
  )
  // A join instead of an array subscript, because PostgreSQL would read the array from its beginning for every row.
  const company = sql`unnest(${names}::text[], ${kana}::text[]) with ordinality c(name, kana, place)`
  const many = sql`${names.length}::int`
  await sql`insert into organizations (name, kana)
    select c.name || case when n < ${many} then '' else ' ' || n / ${many} end, c.kana
    from generate_series(0, ${publishers / 5 - 1}::int) n join ${company} on c.place = 1 + n % ${many}
    order by n`.execute(tx)
  await sql`insert into publishers (organization_id, name, kana, enabled, notes)
    select case when n < ${OWN_PUBLISHERS}::int then 1 else 1 + n % ${publishers / 5}::int end,
      c.name || (array['ニュース','オンライン','スポーツ','経済','芸能','グルメ','テック','暮らし','旅行','映画'])[1 + (n / ${many}) % 10],
      c.kana, n % 20 > 0, case when n % 3 = 0 then '担当者に確認中です。' end
    from generate_series(0, ${publishers - 1}::int) n join ${company} on c.place = 1 + n % ${many}
    order by n`.execute(tx)
}

async function insertAgreements(tx: Transaction): Promise<void> {
  await sql`insert into agreements (medium_id, organization_id, name, code, terminated_at)
    select (array[1, 2])[medium], o.id, o.name || (array['（ニュース）','（ライト）'])[medium], 'AG-' || o.id || '-' || medium,
      case when o.id % 20 = 0 then now() end
    from organizations o, generate_series(1, 2) medium`.execute(tx)
  await sql`insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate)
    select a.id, p.id, a.medium_id, 5000
    from publishers p join agreements a on a.organization_id = p.organization_id and a.medium_id = 1`.execute(tx)
  await sql`insert into bank_accounts (organization_id, bank_id, bank_branch_id, type_name, number, holder, state, decided_at)
    select o.id, b.bank_id, b.id, 'ordinary', lpad((o.id % 10000000)::text, 7, '0'), 'ｶ)ｹｲｿｸﾖｳﾉﾅﾏｴ' || o.id % 500, 'approved', now()
    from (select id, row_number() over (order by id) - 1 as place from organizations) o
    join (select id, bank_id, row_number() over (order by id) - 1 as place, count(*) over () as many from bank_branches) b
      on b.place = o.place * 7 % b.many`.execute(tx)
  await sql`insert into agreement_bank_accounts (agreement_id, bank_account_id, used_from_month)
    select a.id, b.id, 202012 from agreements a join bank_accounts b using (organization_id)`.execute(tx)
}

async function insertContent(tx: Transaction, { articles }: ListSize, { titles }: ListTexts): Promise<void> {
  await sql`insert into feeds (publisher_id, medium_id, enabled, name, short_name, url, site_url, type)
    select p.id, 1, p.enabled, p.name || 'フィード', left(p.name, 8), 'https://news.example/feeds/' || p.id || '.xml',
      'https://news.example/' || p.id, (array['gnf1','gnf2','rss_fulltext','snf2'])[1 + p.id % 4]
    from publishers p`.execute(tx)
  await sql`insert into medium_articles (article_id, medium_id, medium_article_id, title, url, publisher_id, feed_id, published_at)
    select n, 1, 'm' || n, t.title || ' ' || n / ${titles.length}::int,
      'https://news.example/articles/' || n, f.publisher_id, f.id, now() - n * interval '3 minutes'
    from generate_series(1, ${articles}::int) n
    join unnest(${titles}::text[]) with ordinality t(title, place) on t.place = 1 + n % ${titles.length}::int
    join (select id, publisher_id, row_number() over (order by id) - 1 as place from feeds) f on f.place = n % 2000`.execute(
    tx,
  )
}

async function insertPeople(tx: Transaction): Promise<void> {
  const people = [
    { email: STAFF_EMAIL, organizationId: null, role: 'insight:admin' },
    { email: STAFF_EMAIL, organizationId: null, role: 'iam:admin' },
    { email: PUBLISHER_EMAIL, organizationId: 1n, role: 'insight:publisher_admin' },
  ]
  for (const { email, organizationId, role } of people) {
    await sql`insert into users (email, organization_id, email_verified_at) values (${email}, ${organizationId}::bigint, now())
      on conflict do nothing`.execute(tx)
    await sql`insert into user_roles (uid, role_name) select uid, ${role} from users where email = ${email}`.execute(tx)
  }
  await sql`with made as (
      insert into users (email, organization_id, email_verified_at)
      select (array['tanaka','suzuki','sato','takahashi','ito','yamada'])[1 + id % 6] || '.' || id || '@kaisha' || id % 900 || '.example',
        id, now() from organizations returning uid)
    insert into user_roles (uid, role_name) select uid, 'insight:publisher_admin' from made`.execute(tx)
}

async function insertAnnouncements(tx: Transaction, { titles }: ListTexts): Promise<void> {
  await sql`with made as (
      insert into announcements (enabled, level, title, body, start_at)
      select true, case when n % 50 = 0 then 'warn' else 'info' end, title,
        '<p>' || repeat(title || '。', 10) || '</p>', now() - n * interval '1 hour'
      from (select n, (${titles}::text[])[1 + n % ${titles.length}::int] as title from generate_series(1, 1000) n) t
      returning id)
    insert into announcement_targets (announcement_id, kind, organization_id)
    select id, case when id % 2 = 0 then 'all' else 'organization' end, case when id % 2 = 0 then null else 1 + id % 40 end
    from made`.execute(tx)
}

function listTexts(): ListTexts {
  const titles = rowsOf('articles', 'livedoor_articles.csv.gz')?.map(row => row[5] ?? '')
  const companies = rowsOf('masters', 'edinet_companies.csv.gz')?.map(row => ({
    name: row[6] ?? '',
    kana: row[8] ?? '',
  }))
  const words = ['速報', '東京', '経済', 'サッカー日本代表', '新製品', '発売', 'スマートフォン', '映画', '料理', '天気']
  const made = Array.from({ length: 5_000 }, (_, n) => [0, 1, 2, 3].map(at => words[(n * 7 + at * 3) % 10]).join(''))
  return {
    titles: titles?.filter(title => title.length > 3) ?? made,
    companies:
      companies?.filter(company => company.name.length > 3 && company.kana !== '') ??
      made.map((name, n) => ({ name: `${name.slice(0, 6)}${n}`, kana: `ケイソク${n}` })),
  }
}

/** Records of a CSV file of {@link sharedDataFile} without the header; undefined if the file does not exist. */
function rowsOf(...place: readonly string[]): readonly (readonly string[])[] | undefined {
  const file = sharedDataFile(...place)
  if (file === undefined) return undefined
  const lines = gunzipSync(fs.readFileSync(file)).toString('utf8').trim().split('\n').slice(1)
  return lines.map(line =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cell => cell[1] ?? cell[2] ?? ''),
  )
}

function elapsed(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
