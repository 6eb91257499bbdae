import { askBefore } from './asked-before.ts'
import type { Clients } from './client.ts'
import { todayInTokyo } from './clock-day.ts'
import type { Screen } from './define-route.ts'
import { viewerOf } from './make-viewer.ts'
import { matchScreen } from './match-screen.ts'
import { nameOf } from './operation-name.ts'
import type { RuntimeConfig } from './runtime-config.ts'
import type { Session, SignedInUser } from './session.ts'
import { ViewerAgreementsDocument, type ViewerAgreementsQuery } from './viewer-agreements.gen.ts'
import {
  ViewerPoliciesDocument,
  type ViewerPoliciesQuery,
  ViewerUserDocument,
  type ViewerUserQuery,
} from './viewer-iam.gen.ts'

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
  askFirst(user: SignedInUser, config: RuntimeConfig, session: Session): Promise<void>
}

/**
 * Asks what the start of an application asks (specification, section 7) and then, when these answers allow it, what its
 * first screen asks, all while the application itself is still being loaded. Nothing is drawn of it, and nothing depends
 * on it: whatever fails here is asked again, and heard of, where it is needed.
 */
export function firstQuestions({ screens, home, own }: Application): FirstQuestions {
  return {
    async askFirst(user, config, session) {
      if (user.id === '') return
      const token = await session.idToken()
      const ask = async <T>(
        api: keyof Clients,
        document: Parameters<typeof askBefore>[0]['document'],
        variables: Readonly<Record<string, unknown>>,
      ): Promise<T | undefined> => {
        const origin = api === 'iam' ? config.iamApiOrigin : config.insightApiOrigin
        const question = { address: `${origin}/query`, name: nameOf(document), document, variables }
        const headers = { 'X-Client-Version': config.clientVersion, authorization: `Bearer ${token}` }
        const answer = (await (await askBefore(question, headers))?.json()) as Answer<T> | undefined
        return answer?.errors === undefined ? (answer?.data ?? undefined) : undefined
      }
      const [iamUser, policies, agreements] = await Promise.all([
        ask<ViewerUserQuery>('iam', ViewerUserDocument, { userID: user.id }),
        ask<ViewerPoliciesQuery>('iam', ViewerPoliciesDocument, {}),
        ask<ViewerAgreementsQuery>('insight', ViewerAgreementsDocument, { userUid: user.id }),
      ])
      const path = location.hash.slice(1)
      const match = matchScreen(screens, path.length > 1 ? path : home)
      if (!iamUser || !policies || !match?.screen.query) return
      const viewer = viewerOf(user, iamUser, policies, agreements)
      const { allow, condition, query } = match.screen
      if (!viewer.can(allow.action, allow.resource)) return
      const context = { viewer, today: todayInTokyo(), ids: match.ids }
      await ask(query.api ?? own, query.document, query.variables(condition?.parse(match.segment) ?? {}, context))
    },
  }
}
