// What was granted, and what is asked about trust.
import { before } from '../../src/test/make';

export const grants = [
  {
    id: 'g1',
    sessionId: 's1',
    session: 'Retry backoff for the dispatcher',
    caller: 'Built-in agent',
    toolId: 'write',
    verb: 'Write',
    subject: 'internal/dispatch/retry_backoff_policy.go',
    words: 'This one file, by this caller, with any content.',
    at: before(240),
  },
  {
    id: 'g2',
    sessionId: 's2',
    session: 'Release 2.15 checklist',
    caller: 'Claude Code',
    toolId: 'http_request',
    verb: 'Read from',
    subject: 'pkg.go.dev',
    words: 'Reads only, any path on this host.',
    at: before(3_700),
  },
];

export const trust = {
  root: '/home/you/src/acme-web',
  workspace: '/home/you/src/acme-web/packages/site',
  askedBy: 'Claude Code',
  askerKind: 'mcp',
  sessionId: 's6',
  createdAt: before(20),
  opens: ['Writes inside this folder, each after you allowed it.'],
  shut: [
    'Every change in this folder is denied until you say Yes. Reading works.',
    'Paths outside this folder ask, before and after.',
  ],
  postpone: false,
  waiting: 1,
};
