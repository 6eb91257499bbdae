import { type ApolloClient, ApolloLink, gql } from '@apollo/client'
import { expect, test } from 'vitest'
import { makeClient } from '../data/client.ts'
import { MAX_RECENT_ANSWERS, noteShown } from './recent-answers.ts'

const LIST = gql`
  query List($page: Int!) {
    articles(page: $page) { nodes { id title } }
  }
`
const NAMES = gql`
  query Names {
    article { id title }
  }
`

const article = (id: number) => ({ __typename: 'Article', id: String(id), title: `記事${id}` })

const SESSION = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}
const emptyClient = () => makeClient(ApolloLink.empty(), SESSION)

function showPages(client: ApolloClient, pages: readonly number[]) {
  for (const page of pages) {
    const variables = { page }
    const data = { articles: { __typename: 'Articles', nodes: [article(page)] } }
    client.cache.writeQuery({ query: LIST, variables, data })
    noteShown(client, LIST, variables)
  }
}

const kept = (client: ApolloClient) => {
  const { ROOT_QUERY, __META: _meta, ...records } = client.cache.extract() as Record<string, object>
  return {
    pages: Object.keys(ROOT_QUERY ?? {}).filter(name => name.startsWith('articles(')).length,
    records: Object.keys(records).toSorted(),
  }
}

test('answers of conditions that were left long ago are forgotten, with the records that nothing else names', async () => {
  const client = emptyClient()
  client.cache.writeQuery({ query: NAMES, data: { article: article(1) } })
  const pages = Array.from({ length: MAX_RECENT_ANSWERS + 20 }, (_, index) => index + 1)
  showPages(client, pages)
  await expect.poll(() => kept(client).pages).toBe(MAX_RECENT_ANSWERS)
  const last = pages.slice(-MAX_RECENT_ANSWERS).map(page => `Article:${page}`)
  expect(kept(client).records).toEqual(['Article:1', ...last].toSorted())
})

test('what is looked at again is the last to go', async () => {
  const client = emptyClient()
  const pages = Array.from({ length: MAX_RECENT_ANSWERS }, (_, index) => index + 1)
  showPages(client, pages)
  noteShown(client, LIST, { page: 1 })
  showPages(client, [MAX_RECENT_ANSWERS + 1])
  await expect.poll(() => client.cache.readQuery({ query: LIST, variables: { page: 2 } })).toBe(null)
  expect(client.cache.readQuery({ query: LIST, variables: { page: 1 } })).not.toBe(null)
})
