/** Screens about people: in the console those of the viewer's organisation, in /iam/ everybody. */
export const USERS_PATH = '/users'
export const USER_INVITE_PATH = '/users/invite'
export const USER_EDIT_PATH = '/users/edit/$userID'
export const INVITATIONS_PATH = '/invitations'

/** The screen that edits one user. */
export function userEditPath(uid: string): string {
  return USER_EDIT_PATH.replace('$userID', uid)
}
