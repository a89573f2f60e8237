import type { CallerRow, ClientPlan, ClientRow } from '../../lib/bridge/dto';
import { diff } from './approval';
import { before } from './desk';

export const client = (over: Partial<ClientRow> = {}): ClientRow => ({
  id: 'codex',
  name: 'Codex',
  command: '',
  fragment:
    '[mcp_servers.countersign]\ncommand = "/opt/countersign/countersign"\nargs = ["mcp"]\ntool_timeout_sec = 86400\n',
  language: 'toml',
  place: '~/.codex/config.toml',
  path: '/home/you/.codex/config.toml',
  linkedTo: '',
  user: true,
  state: 'absent',
  trouble: '',
  limit: 'A call may wait for a day, instead of 300 seconds.',
  after: 'Start Codex anew.',
  sessions: 0,
  ...over,
});

export const clientPlan = (row: Partial<ClientRow> = {}, over: Partial<ClientPlan> = {}): ClientPlan => ({
  client: client(row),
  diffs: [
    diff({
      path: '~/.codex/config.toml',
      absolute: '/home/you/.codex/config.toml',
      unified:
        '--- a/~/.codex/config.toml\n+++ b/~/.codex/config.toml\n@@ -1,2 +1,7 @@\n model = "gpt-5-codex"\n approval_policy = "on-request"\n+\n+[mcp_servers.countersign]\n+command = "/opt/countersign/countersign"\n+args = ["mcp"]\n+tool_timeout_sec = 86400\n',
      additions: 5,
    }),
  ],
  hash: 'h1',
  written: false,
  ...over,
});

export const caller = (over: Partial<CallerRow> = {}): CallerRow => ({
  sessionId: 's3',
  title: 'Approval inbox keyboard tests',
  name: 'Codex',
  version: '0.171.0',
  workspace: '/home/you/src/dispatchd',
  through: 'stdio, process 48977',
  since: before(26 * 60),
  calls: 31,
  denied: 0,
  waiting: 2,
  lastCall: before(12),
  ...over,
});
