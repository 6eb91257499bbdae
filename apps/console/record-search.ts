import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import { organizationEditPath } from '@pc/features/access/links.ts'
import { agreementEditPath } from '@pc/features/agreements/links.ts'
import { articleCondition } from '@pc/features/articles/article-condition.ts'
import { ARTICLES_PATH } from '@pc/features/articles/links.ts'
import { feedEditPath } from '@pc/features/feeds/links.ts'
import { mediumEditPath } from '@pc/features/media/links.ts'
import { PUBLISHERS_PATH, publisherEditPath } from '@pc/features/publishers/links.ts'
import { publisherCondition } from '@pc/features/publishers/publisher-condition.ts'
import { statementsAddress } from '@pc/features/statements/links.ts'
import { userEditPath } from '@pc/features/users/links.ts'
import type { Command } from '@pc/ui/command-palette/command-palette.tsx'
import type { Clients } from '@pc/ui/data/client.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { GlobalSearchDocument, type GlobalSearchQuery } from './global-search.gen.ts'
import { GlobalSearchUsersDocument } from './global-search-iam.gen.ts'
import { screensByAlias } from './search-aliases.ts'

/** Searches screens by alias, and records of the kinds that the person may list; last comes the manual's own search. */
export async function searchAll(
  clients: Clients,
  viewer: Viewer,
  screens: readonly Command[],
  q: string,
): Promise<readonly Command[]> {
  const [records, users] = await Promise.all([searchRecords(clients, viewer, q), searchUsers(clients, viewer, q)])
  const manual: Command = {
    group: 'ヘルプ',
    label: `「${q}」をマニュアルで検索`,
    address: `/docs/index.html?q=${encodeURIComponent(q)}`,
  }
  return [...screensByAlias(screens, q), ...records, ...users, manual]
}

async function searchRecords(clients: Clients, viewer: Viewer, q: string): Promise<readonly Command[]> {
  const may = (resource: ResourceName) => viewer.can('read:list', resource)
  const { data } = await clients.insight.query({
    query: GlobalSearchDocument,
    variables: {
      q,
      withAgreements: may('insight:agreement.'),
      withMedia: may('insight:medium.'),
      withPublishers: may('insight:publisher.'),
      withFeeds: may('insight:feed.'),
      withArticles: may('insight:medium_article.'),
      // One character matches nearly all statements, and reading them takes a fifth of a second.
      withStatements: may('insight:statement.') && [...q.trim()].length > 1,
      // Publisher users have a single organisation.
      withOrganizations: isStaffViewer(viewer) && may('insight:publisher.'),
    },
    fetchPolicy: 'no-cache',
  })
  const articleAddress = (id: string) =>
    addressOf(ARTICLES_PATH, articleCondition.format({ ...articleCondition.defaults, q: id }))
  return [
    ...(data?.organizations?.nodes ?? []).map(organization => organizationCommand(organization, viewer)),
    ...(data?.agreements?.nodes ?? []).map(({ id, name, code, invoiceRegistrationNumber: number }) => ({
      ...{ group: '契約', label: name, note: number ? `${code}・${number}` : code },
      address: addressOf(agreementEditPath(id)),
    })),
    ...(data?.media?.nodes ?? []).map(({ id, name, code }) => ({
      ...{ group: '媒体', label: name, note: `${id}・${code}`, address: addressOf(mediumEditPath(id)) },
    })),
    ...(data?.publishers?.nodes ?? []).map(({ id, name }) => ({
      ...{ group: 'パブリッシャー', label: name, address: addressOf(publisherEditPath(id)) },
    })),
    ...(data?.searchStatements ?? []).map(statementCommand),
    ...(data?.feeds?.nodes ?? []).map(({ id, name, url }) => ({
      ...{ group: 'フィード', label: name, note: url, address: addressOf(feedEditPath(id)) },
    })),
    ...(data?.mediumArticles?.nodes ?? []).map(({ articleId, title }) => ({
      ...{ group: '記事', label: title, note: `ID ${articleId}`, address: articleAddress(articleId) },
    })),
  ]
}

const IAM = '/iam/'

/**
 * Links to the organisation's record (in the IAM application) for those who may open it, otherwise to a list filtered
 * by the organisation.
 */
function organizationCommand({ id, name }: { id: string; name: string }, viewer: Viewer): Command {
  const common = { group: '組織', label: name }
  if (viewer.can('read:list', 'iam:org.'))
    return { ...common, note: 'ユーザー管理で開きます', address: `${IAM}${addressOf(organizationEditPath(id))}` }
  const condition = publisherCondition.format({ ...publisherCondition.defaults, organizationId: id })
  return { ...common, note: 'パブリッシャーの一覧', address: addressOf(PUBLISHERS_PATH, condition) }
}
type FoundStatement = NonNullable<GlobalSearchQuery['searchStatements']>[number]

function statementCommand({ id, numberText, month, payeeName, agreementName, total }: FoundStatement): Command {
  const of = parseYearMonth(month)
  return {
    group: '支払通知書',
    label: `${of === undefined ? '' : `${monthText(of)}分　`}${payeeName}`,
    note: `${numberText}・${agreementName}・${formatInteger(total)}円`,
    address: statementsAddress({ id }),
  }
}

/** Users are found by email address, so other characters cannot match. */
const PART_OF_ADDRESS = /^[!-~]+$/

async function searchUsers(clients: Clients, viewer: Viewer, q: string): Promise<readonly Command[]> {
  if (!viewer.can('read:list', 'iam:user.') || !PART_OF_ADDRESS.test(q.normalize('NFKC').trim())) return []
  const { data } = await clients.iam.query({
    query: GlobalSearchUsersDocument,
    variables: { q },
    fetchPolicy: 'no-cache',
  })
  return (data?.users.nodes ?? []).map(({ uid, email, enabled, organization }) => ({
    group: 'ユーザー',
    label: email,
    note: [organization?.name, enabled ? undefined : '無効'].filter(Boolean).join('・'),
    address: addressOf(userEditPath(uid)),
  }))
}
