import { AccessLog, AccessLogQuery } from './access-log.ts'
import { AuditLog, AuditLogQuery } from './audit-log.ts'
import type { Call } from './call.ts'
import { ActionAnswer } from './jobs.ts'
import { RowParams } from './rows.ts'
import { Login, PasswordChange, Session, SessionList, SessionListQuery } from './session.ts'
import { StaffSettings } from './settings.ts'
import { Invitation, NewStaff, StaffAccount, StaffList, StaffUpdate } from './staff.ts'

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
    summary: 'Sign in with an account, or with the password that the staff share.',
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
    beforeOwnPassword: true,
    body: PasswordChange,
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
    summary: 'End a session: your own, or anybody’s for managers.',
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
    summary: 'Make an account. The answer shows a password, this once, with which its owner chooses another.',
    access: 'manager',
    body: NewStaff,
    answer: { status: 201, schema: Invitation },
  },
  {
    method: 'patch',
    path: '/api/staff/{id}',
    summary: 'Change name or role of an account, disable it, or enable it again. Disabling ends its sessions.',
    access: 'manager',
    params: RowParams,
    body: StaffUpdate,
    answer: { status: 200, schema: StaffAccount },
  },
  {
    method: 'post',
    path: '/api/staff/{id}/reset-password',
    summary: 'Give an account a new password, shown this once, with which its owner chooses another. Its sessions end.',
    access: 'manager',
    params: RowParams,
    answer: { status: 200, schema: Invitation },
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
]
