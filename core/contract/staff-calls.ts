import { AccessLog, AccessLogQuery } from './access-log.ts'
import { AuditLog, AuditLogQuery } from './audit-log.ts'
import type { Call } from './call.ts'
import { ActionAnswer } from './jobs.ts'
import { RowParams } from './rows.ts'
import { IdentityConfirmation } from './second-factor.ts'
import { SECOND_FACTOR_CALLS } from './second-factor-calls.ts'
import { Login, PasswordChange, Session, SessionList, SessionListQuery } from './session.ts'
import { StaffSettings } from './settings.ts'
import { LinkAnswer, LinkQuestion, NewStaff, PasswordByLink, StaffAccount, StaffList, StaffUpdate } from './staff.ts'

/** The calls about staff themselves: who they are, that they are signed in, what they did, and what their pages need. */
export const STAFF_CALLS: Call[] = [
  {
    method: 'get',
    path: '/api/session',
    summary: 'Whether this browser is signed in as staff, and as whom.',
    access: 'public',
    answer: { status: 200, schema: Session },
  },
  {
    method: 'post',
    path: '/api/session',
    summary: 'Sign in with an account, or with the password that the staff share. An account may have a second step.',
    access: 'public',
    body: Login,
    answer: { status: 200, schema: Session },
  },
  {
    method: 'delete',
    path: '/api/session',
    summary: 'Sign out.',
    access: 'public',
    answer: { status: 200, schema: Session },
  },
  {
    method: 'post',
    path: '/api/session/password',
    summary: 'Choose a password of your own. Your other sessions end.',
    access: 'viewer',
    body: PasswordChange,
    answer: { status: 200, schema: Session },
  },
  {
    method: 'post',
    path: '/api/session/activity',
    summary: 'Say that the person is at work, so that the session stays open. Calls that only read do not say so.',
    access: 'viewer',
    beforeSecondFactor: true,
    answer: { status: 200, schema: Session },
  },
  {
    method: 'post',
    path: '/api/session/confirm',
    summary:
      'Confirm your identity with your password, a code of your app or a passkey, which sensitive calls ask for after ten minutes.',
    access: 'viewer',
    beforeSecondFactor: true,
    body: IdentityConfirmation,
    answer: { status: 200, schema: Session },
  },
  {
    method: 'get',
    path: '/api/session/confirmed',
    summary: 'Whether your identity is confirmed: refused with `confirm_identity` if not. Made before a download.',
    access: 'viewer',
    needsConfirmation: true,
    answer: { status: 200, schema: ActionAnswer },
  },
  {
    method: 'post',
    path: '/api/session/link',
    summary: 'Whose link to choose a password this is.',
    access: 'public',
    body: LinkQuestion,
    answer: { status: 200, schema: LinkAnswer },
  },
  {
    method: 'post',
    path: '/api/session/link/password',
    summary: 'Choose a password with a link from an e-mail, and sign in. The link works once; your sessions end.',
    access: 'public',
    body: PasswordByLink,
    answer: { status: 200, schema: Session },
  },
  {
    method: 'get',
    path: '/api/sessions',
    summary: 'The browsers that are signed in: your own, or everybody’s for managers.',
    access: 'viewer',
    query: SessionListQuery,
    answer: { status: 200, schema: SessionList },
  },
  {
    method: 'delete',
    path: '/api/sessions/{id}',
    summary: 'End a session: your own, or anybody’s for managers, who confirm their identity for it.',
    access: 'viewer',
    params: RowParams,
    answer: { status: 200, schema: ActionAnswer },
  },
  {
    method: 'get',
    path: '/api/staff',
    summary: 'Every account of the staff.',
    access: 'manager',
    answer: { status: 200, schema: StaffList },
  },
  {
    method: 'post',
    path: '/api/staff',
    summary: 'Make an account. Its owner is mailed a link to choose a password, good for 72 hours.',
    access: 'manager',
    needsConfirmation: true,
    body: NewStaff,
    answer: { status: 201, schema: StaffAccount },
  },
  {
    method: 'patch',
    path: '/api/staff/{id}',
    summary: 'Change name or role of an account, disable it, or enable it again. Disabling ends its sessions.',
    access: 'manager',
    needsConfirmation: true,
    params: RowParams,
    body: StaffUpdate,
    answer: { status: 200, schema: StaffAccount },
  },
  {
    method: 'post',
    path: '/api/staff/{id}/reset-password',
    summary: 'Mail the owner a new link to choose a password. The password stops working; its sessions end.',
    access: 'manager',
    needsConfirmation: true,
    params: RowParams,
    answer: { status: 200, schema: StaffAccount },
  },
  {
    method: 'delete',
    path: '/api/shared-password',
    summary: 'Switch the shared password off. Its sessions end; `npm run staff` switches it on again.',
    access: 'manager',
    needsConfirmation: true,
    answer: { status: 200, schema: ActionAnswer },
  },
  {
    method: 'get',
    path: '/api/access-log',
    summary: 'Who read which leads and applications, the newest first.',
    access: 'manager',
    query: AccessLogQuery,
    answer: { status: 200, schema: AccessLog },
  },
  {
    method: 'get',
    path: '/api/audit-log',
    summary: 'Who did what, the newest first.',
    access: 'viewer',
    query: AuditLogQuery,
    answer: { status: 200, schema: AuditLog },
  },
  {
    method: 'get',
    path: '/api/settings',
    summary: 'The settings that the staff’s pages need.',
    access: 'viewer',
    answer: { status: 200, schema: StaffSettings },
  },
  ...SECOND_FACTOR_CALLS,
]
