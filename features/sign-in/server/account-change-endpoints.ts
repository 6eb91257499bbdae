import { refusal } from '@pc/domain/refusal.ts'
import type { Result } from '@pc/domain/result.ts'
import { hasRecentStepUp } from '@pc/platform/oidc/session-uses.ts'
import type { SignInRefusal } from '../refusals.ts'
import {
  agreeAsOneself,
  agreeByLink,
  objectAsOneself,
  objectByLink,
  readChange,
  readOwnChange,
} from './decide-account-change.ts'
import { type Answer, type Endpoint, forPerson, refuse, text } from './sign-in-call.ts'

const answerOf = (result: Result<unknown, SignInRefusal>): Answer =>
  result.ok ? { body: result.value } : refuse(...result.refusals)

const read: Endpoint = async ({ options, input }) => answerOf(await readChange(options.database, text(input, 'secret')))

const agree: Endpoint = async ({ options, input, address }) =>
  answerOf(await agreeByLink(options, text(input, 'secret'), address))

const object: Endpoint = async ({ options, input, address }) =>
  answerOf(await objectByLink(options, text(input, 'secret'), address))

const readOwn = forPerson(async ({ options }, { uid }) => ({
  body: { change: await readOwnChange(options.database, uid) },
}))

const agreeOwn = forPerson(async ({ options, input, address }, person) => {
  if (!(await hasRecentStepUp(options.database, person))) return refuse(refusal('sign-in/step-up-needed'))
  return answerOf(await agreeAsOneself(options, person.uid, text(input, 'id'), address))
})

const objectOwn = forPerson(async ({ options, input, address }, { uid }) =>
  answerOf(await objectAsOneself(options, uid, text(input, 'id'), address)),
)

/** Endpoints to agree or object to an account change that an administrator requested: by an email's link, or signed in. */
export const ACCOUNT_CHANGE_ENDPOINTS: readonly (readonly [string, Endpoint])[] = [
  ['POST account-change', read],
  ['POST account-change/agree', agree],
  ['POST account-change/object', object],
  ['GET account-change/own', readOwn],
  ['POST account-change/own/agree', agreeOwn],
  ['POST account-change/own/object', objectOwn],
]
