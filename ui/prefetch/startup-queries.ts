import type { Clients } from '../data/client.ts'
import { nameOf } from '../data/operation-name.ts'
import type { Screen, ScreenQuery } from '../routing/define-route.ts'
import { matchScreen, type ScreenMatch } from '../routing/match-screen.ts'
import type { RuntimeConfig } from '../runtime-config.ts'
import { viewerOf } from '../session/make-viewer.ts'
import { rememberedCan, rememberingCan } from '../session/permission-cache.ts'
import type { Session, SignedInUser } from '../session/session.ts'
import type { Viewer } from '../session/viewer.tsx'
import { ViewerAgreementsDocument, type ViewerAgreementsQuery } from '../session/viewer-agreements.gen.ts'
import {
  ViewerPoliciesDocument,
  type ViewerPoliciesQuery,
  ViewerUserDocument,
  type ViewerUserQuery,
} from '../session/viewer-iam.gen.ts'
import { todayInTokyo } from '../text/clock-day.ts'
import { askBefore, isAsked, type Question, textOf } from './prefetch-cache.ts'

interface Application {
  readonly screens: readonly Screen[]
  /** Path that the root leads to. */
  readonly home: string
  /** The API of screens that name none. */
  readonly own: keyof Clients
}

interface Answer<T> {
  readonly data?: T | null
  readonly errors?: unknown
}

export interface FirstQuestions {
  /** @returns the person that the answers describe; undefined: one of them has to be asked for again */
  askFirst(user: SignedInUser, config: RuntimeConfig, session: Session): Promise<Viewer | undefined>
}

/**
 * Asks what the start of an application asks (specification, section 7), and what its first screen asks: at once where this
 * browser remembers what the person was allowed, else (or where that has changed) when the answers allow it. All that
 * happens while the application itself is still being loaded. Nothing depends on it: whatever fails or is refused here is
 * asked again, and heard of, where it is needed.
 */
export function firstQuestions({ screens, home, own }: Application): FirstQuestions {
  const matchAddress = () => {
    const path = location.hash.slice(1)
    return matchScreen(screens, path.length > 1 ? path : home)
  }
  prepareTexts(matchAddress())
  return {
    async askFirst(user, config, session) {
      if (user.id === '') return undefined
      const token = await session.idToken()
      const headers = { 'X-Client-Version': config.clientVersion, authorization: `Bearer ${token}` }
      const questionOf = (
        api: keyof Clients,
        document: Question['document'],
        variables: Question['variables'],
      ): Question => {
        const origin = api === 'iam' ? config.iamApiOrigin : config.insightApiOrigin
        return { address: `${origin}/query`, name: nameOf(document), document, variables }
      }
      const ask = async <T>(...question: Parameters<typeof questionOf>): Promise<T | undefined> => {
        const answer = (await (await askBefore(questionOf(...question), headers))?.json()) as Answer<T> | undefined
        return answer?.errors === undefined ? (answer?.data ?? undefined) : undefined
      }
      // An answer of an issuer elsewhere has changed the address meanwhile.
      const match = matchAddress()
      const comingQuery = queryOf(match)
      // Not waited for, and not read: that is for the screen.
      const askScreen = (viewer: Viewer) =>
        comingQuery.then(query => {
          for (const { api = own, document, variables } of questionsOf(match, query, viewer))
            if (!isAsked(nameOf(document), variables))
              askBefore(questionOf(api, document, variables), headers).catch(() => {})
        })
      const starting = Promise.all([
        ask<ViewerUserQuery>('iam', ViewerUserDocument, { userID: user.id }),
        ask<ViewerPoliciesQuery>('iam', ViewerPoliciesDocument, {}),
        ask<ViewerAgreementsQuery>('insight', ViewerAgreementsDocument, { userUid: user.id }),
      ])
      askScreen({ ...NOT_KNOWN, ...user, can: rememberedCan(user.id) }).catch(() => {})
      const [iamUser, policies, agreements] = await starting
      if (!iamUser || !policies || !agreements) return undefined
      const known = viewerOf(user, iamUser, policies, agreements)
      const viewer = { ...known, can: rememberingCan(user.id, known.can) }
      askScreen(viewer).catch(() => {})
      return viewer
    },
  }
}

/** A query that comes with its screen's code is on its way from now on. */
async function queryOf(match: ScreenMatch | undefined): Promise<ScreenQuery | undefined> {
  return match?.screen.query ?? (await match?.screen.loadQuery?.())
}

/**
 * Makes the texts of what will be asked while it is being found out who is here: a slow device takes a twentieth of a second
 * for them.
 */
function prepareTexts(match: ScreenMatch | undefined): void {
  for (const document of [ViewerUserDocument, ViewerPoliciesDocument, ViewerAgreementsDocument]) textOf(document)
  queryOf(match)
    .then(query => {
      for (const { document } of query ? [query, ...(query.beside ?? [])] : []) textOf(document)
    })
    // Heard of when the screen is shown.
    .catch(() => {})
}

/** Of a person of whom nothing is known but what this browser remembers; no query reads these. */
const NOT_KNOWN = {
  roles: [],
  organizationId: undefined,
  agreementIds: undefined,
  lacksAgreement: () => false,
  isStateReady: false,
}

/** @throws what `can` throws */
function questionsOf(match: ScreenMatch | undefined, query: ScreenQuery | undefined, viewer: Viewer) {
  if (!match || !viewer.can(match.screen.allow.action, match.screen.allow.resource) || !query) return []
  const context = { viewer, today: todayInTokyo(), ids: match.ids }
  const condition = match.screen.condition?.parse(match.segment) ?? {}
  return [query, ...(query.beside ?? [])].map(one => ({ ...one, variables: one.variables(condition, context) }))
}
