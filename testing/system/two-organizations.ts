import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { roleRows, rolesSeeing } from '@pc/domain/access/role-duties.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'

/** Part of every text of organisation B, so that a leak of any of its rows is detected. */
export const CANARY_B = 'CANARY-B'

export interface OrganizationRows {
  readonly organizationId: bigint
  readonly agreementIds: readonly bigint[]
  readonly publisherIds: readonly bigint[]
  /** The first one is approved and used by every agreement, the second one waits for approval. */
  readonly bankAccountIds: readonly bigint[]
  readonly bankId: bigint
  readonly bankBranchId: bigint
  /** A feed and an article of each publisher. */
  readonly feedIds: readonly bigint[]
  readonly articleIds: readonly bigint[]
  /** An author, a section and a tag of each publisher. */
  readonly labelIds: readonly bigint[]
  /** An enabled announcement to this organisation. */
  readonly announcementId: bigint
}
export interface TwoOrganizations {
  readonly a: OrganizationRows
  readonly b: OrganizationRows
  /** One user per role, of organisation A; `nobody` has no role. */
  readonly users: Readonly<
    Record<Role | 'nobody' | 'disabled' | 'ofB', { readonly uid: string; readonly email: string }>
  >
}

/** Two organisations with rows of every kind, and a user of A for each role. Publisher editors work for A's first agreement. */
export async function makeTwoOrganizations(database: Database): Promise<TwoOrganizations> {
  return database.inScope(SYSTEM, async tx => {
    // Media without rows of these organisations, too: filters and lists have to cope with them.
    await tx
      .insertInto('media')
      .values([1n, 2n, 3n, 4n, 9n].map(id => ({ id, name: `メディア${id}` })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await tx
      .insertInto('roles')
      .values(roleRows())
      .onConflict(conflict => conflict.doNothing())
      .execute()
    const bank = { kana: 'ミズホ', hira: 'みずほ', roma: 'mizuho' }
    const { id: bankId } = await tx
      .insertInto('banks')
      .values({ code: '0001', name: 'みずほ', ...bank })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: bankBranchId } = await tx
      .insertInto('bankBranches')
      .values({ bankId, code: '100', name: '本店', ...bank })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rowsOf = async (name: string): Promise<OrganizationRows> => {
      const { id: organizationId } = await tx
        .insertInto('organizations')
        .values({ name: `${name} 株式会社` })
        .returning('id')
        .executeTakeFirstOrThrow()
      const publishers = await tx
        .insertInto('publishers')
        .values([1, 2].map(n => ({ organizationId, name: `${name} 新聞 ${n}`, notes: `${name} メモ` })))
        .returning('id')
        .execute()
      const agreements = await tx
        .insertInto('agreements')
        .values(
          [1, 2, 3].map(n => ({
            organizationId,
            mediumId: n === 3 ? 2n : 1n,
            name: `${name} 契約 ${n}`,
            code: `${name}-${n}`,
            notes: `${name} 社内メモ`,
            fixedRevenueYen: 123_456n,
            // More than 32 bits hold.
            minimumRevenueYen: 888_808_080_811n,
            // The third is terminated, and of another medium.
            terminatedAt: n === 3 ? new Date('2026-01-31T15:00:00Z') : null,
          })),
        )
        .returning('id')
        .execute()
      for (const [index, agreement] of agreements.entries()) {
        await tx
          .insertInto('agreementPublisherRules')
          .values({
            agreementId: agreement.id,
            publisherId: publishers[index % 2]?.id ?? 0n,
            mediumId: index === 2 ? 2n : 1n,
            paymentRate: 5_000,
          })
          .execute()
      }
      const accounts = await tx
        .insertInto('bankAccounts')
        .values(
          [1, 2].map(n => ({
            ...{ organizationId, bankId, bankBranchId, typeName: 'ordinary', number: `765432${n}`, holder: name },
            ...(n === 1 ? { state: 'approved', decidedAt: new Date() } : {}),
          })),
        )
        .returning('id')
        .execute()
      await tx
        .insertInto('agreementBankAccounts')
        .values(
          agreements.map(({ id }) => ({
            agreementId: id,
            bankAccountId: accounts[0]?.id ?? 0n,
            usedFromMonth: 202601,
          })),
        )
        .execute()
      const contentIds = await addContent(tx, name, organizationId, publishers)
      return {
        organizationId,
        ...contentIds,
        bankAccountIds: accounts.map(row => row.id),
        bankId,
        bankBranchId,
        agreementIds: agreements.map(row => row.id),
        publisherIds: publishers.map(row => row.id),
      }
    }
    const a = await rowsOf('ALPHA')
    const b = await rowsOf(CANARY_B)
    const makeUser = async (email: string, organizationId: bigint, roles: readonly Role[], enabled = true) => {
      const { uid } = await tx
        .insertInto('users')
        .values({ email, organizationId, enabled, emailVerifiedAt: new Date() })
        .returning('uid')
        .executeTakeFirstOrThrow()
      for (const roleName of roles) await tx.insertInto('userRoles').values({ uid, roleName }).execute()
      return { uid, email }
    }
    const users: Record<string, { uid: string; email: string }> = {}
    for (const role of ROLES)
      users[role] = await makeUser(`${role.replace(':', '.')}@example.jp`, a.organizationId, [role])
    users.nobody = await makeUser('nobody@example.jp', a.organizationId, [])
    users.disabled = await makeUser('disabled@example.jp', a.organizationId, ['admin'])
    users.ofB = await makeUser(`${CANARY_B.toLowerCase()}@example.jp`, b.organizationId, ['insight:publisher_admin'])
    await tx
      .insertInto('userAgreements')
      .values(rolesSeeing('agreements').map(role => ({ uid: users[role]!.uid, agreementId: a.agreementIds[0] ?? 0n })))
      .execute()
    return { a, b, users: users as TwoOrganizations['users'] }
  })
}

/** Feeds, articles and an announcement of one organisation. */
async function addContent(
  tx: Transaction,
  name: string,
  organizationId: bigint,
  publishers: readonly { readonly id: bigint }[],
) {
  const feeds = await tx
    .insertInto('feeds')
    .values(
      publishers.map(({ id }, index) => ({
        publisherId: id,
        mediumId: 1n,
        name: `${name} フィード ${index + 1}`,
        url: `https://feeds.example/${name}/${index + 1}.xml`,
        type: 'gnf1',
        notes: `${name} 社内メモ`,
      })),
    )
    .returning('id')
    .execute()
  const articles = await tx
    .insertInto('mediumArticles')
    .values(
      publishers.map(({ id }, index) => ({
        articleId: organizationId * 1000n + BigInt(index + 1),
        mediumId: 1n,
        mediumArticleId: `${name}-${index + 1}`,
        publisherId: id,
        feedId: feeds[index]?.id ?? null,
        title: `${name} 記事 ${index + 1}`,
        authors: JSON.stringify([`${name} 記者`]),
        section: `${name} 面`,
        tags: JSON.stringify([`${name} 話題`]),
        url: `https://news.example/${name}/${index + 1}`,
        publishedAt: new Date('2026-01-15T00:00:00Z'),
      })),
    )
    .returning('articleId')
    .execute()
  const labels = await tx
    .selectFrom('articleLabels')
    .select('id')
    .where(
      'publisherId',
      'in',
      publishers.map(({ id }) => id),
    )
    .orderBy('publisherId')
    .orderBy('kind')
    .execute()
  const { id: announcementId } = await tx
    .insertInto('announcements')
    .values({
      enabled: true,
      level: 'warn',
      title: `${name} お知らせ`,
      body: `<p>${name}</p>`,
      startAt: new Date('2026-01-01T00:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('announcementTargets').values({ announcementId, kind: 'organization', organizationId }).execute()
  return {
    feedIds: feeds.map(row => row.id),
    articleIds: articles.map(row => row.articleId),
    labelIds: labels.map(row => row.id),
    announcementId,
  }
}
