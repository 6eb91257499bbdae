/** One check of graphql-cop: sends its requests and returns whether it would call the API vulnerable. */
export type Cop = (ask: Asks) => Promise<boolean>
export interface Asks {
  readonly query: (query: string) => Promise<CopAnswer>
  readonly send: (method: string, address: string, type: string | undefined, body?: string) => Promise<CopAnswer>
}
export interface CopAnswer {
  readonly text: string
  readonly body: { readonly data?: Record<string, unknown>; readonly errors?: unknown[]; readonly extensions?: object }
}
const hasData = ({ body }: CopAnswer) => body.data != null
export const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')
/** Checks for introspection, which roles are allowed here. */
export const INTROSPECTION: Readonly<Record<string, Cop>> = {
  introspection: async ({ query }) => hasData(await query('query cop { __schema { types { name fields { name } } } }')),
}
export const COPS: Readonly<Record<string, Cop>> = {
  'alias overloading': async ({ query }) =>
    hasData(await query(`query cop { ${times(101, i => `alias${i}: __typename`)} }`)),
  'batch queries': async ({ send }) => {
    const batch = Array.from({ length: 10 }, () => ({ query: 'query cop { __typename }' }))
    const { body } = await send('POST', '', 'application/json', JSON.stringify(batch))
    return Array.isArray(body)
  },
  'directive overloading': async ({ query }) =>
    (await query(`query cop { __typename ${'@aa'.repeat(10)} }`)).body.errors?.length === 10,
  'field duplication': async ({ query }) => hasData(await query(`query cop { ${'__typename '.repeat(500)} }`)),
  'circular introspection': async ({ query }) =>
    hasData(
      await query(
        'query cop { __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } } }',
      ),
    ),
  'circular fragments': async ({ query }) =>
    !(
      await query(
        'query { __schema { ...A } } fragment A on __Schema { __typename ...B } fragment B on __Schema { ...A }',
      )
    ).body.errors,
  'field suggestions': async ({ query }) =>
    /did you mean/i.test((await query('query cop { __schema { directive } }')).text),
  'queries by GET': async ({ send }) =>
    hasData(await send('GET', `?query=${encodeURIComponent('query cop { __typename }')}`, undefined)),
  'mutations by GET': async ({ send }) =>
    hasData(await send('GET', `?query=${encodeURIComponent('mutation cop { __typename }')}`, undefined)),
  'a form by POST': async ({ send }) => {
    const query = `query=${encodeURIComponent('query { __typename }')}`
    const answers = [
      await send('POST', `?${query}`, undefined),
      await send('POST', '', 'application/x-www-form-urlencoded', query),
    ]
    return answers.some(hasData)
  },
  'an IDE': async ({ send }) => {
    const pages = await Promise.all(
      ['/graphiql', '/playground', '/console', '/graphql', '/query'].map(page => send('GET', `..${page}`, undefined)),
    )
    return pages.some(({ text }) => /graphiql|graphql.?playground/i.test(text))
  },
  tracing: async ({ query }) => (await query('query cop { __typename }')).body.extensions !== undefined,
  'unhandled errors': async ({ query }) =>
    /exception|stack|node_modules/i.test((await query('qwerty cop { abc }')).text),
}
