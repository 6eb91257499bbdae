import type { ApolloClient } from '@apollo/client'
import { agreementEditPath } from '@pc/features/agreements/links.ts'
import { articleCondition } from '@pc/features/articles/article-condition.ts'
import { ARTICLES_PATH } from '@pc/features/articles/links.ts'
import { feedEditPath } from '@pc/features/feeds/links.ts'
import { publisherEditPath } from '@pc/features/publishers/links.ts'
import type { Command } from '@pc/ui/command-palette/command-palette.tsx'
import { addressOf } from '@pc/ui/define-route.ts'
import type { Viewer } from '@pc/ui/viewer.tsx'
import { GlobalSearchDocument } from './global-search.gen.ts'
import { screensByOtherName } from './other-names.ts'

/** What a text finds: screens by another of their names, and records of the kinds that the person may list. */
export async function searchAll(
  client: ApolloClient,
  viewer: Viewer,
  screens: readonly Command[],
  q: string,
): Promise<readonly Command[]> {
  return [...screensByOtherName(screens, q), ...(await searchRecords(client, viewer, q))]
}

async function searchRecords(client: ApolloClient, viewer: Viewer, q: string): Promise<readonly Command[]> {
  const may = (resource: string) => viewer.can('read:list', resource)
  const { data } = await client.query({
    query: GlobalSearchDocument,
    variables: {
      q,
      withAgreements: may('insight:agreement.'),
      withPublishers: may('insight:publisher.'),
      withFeeds: may('insight:feed.'),
      withArticles: may('insight:medium_article.'),
    },
    fetchPolicy: 'no-cache',
  })
  const articleAddress = (id: string) =>
    addressOf(ARTICLES_PATH, articleCondition.format({ ...articleCondition.defaults, q: id }))
  return [
    ...(data?.agreements?.nodes ?? []).map(({ id, name, code }) => ({
      ...{ group: '契約', label: name, note: code, address: addressOf(agreementEditPath(id)) },
    })),
    ...(data?.publishers?.nodes ?? []).map(({ id, name }) => ({
      ...{ group: 'パブリッシャー', label: name, address: addressOf(publisherEditPath(id)) },
    })),
    ...(data?.feeds?.nodes ?? []).map(({ id, name, url }) => ({
      ...{ group: 'フィード', label: name, note: url, address: addressOf(feedEditPath(id)) },
    })),
    ...(data?.mediumArticles?.nodes ?? []).map(({ articleId, title }) => ({
      ...{ group: '記事', label: title, note: `ID ${articleId}`, address: articleAddress(articleId) },
    })),
  ]
}
