import type { ClientPlan, ConnectView } from '../../src/lib/bridge/dto';
import { before, caller, client, clientPlan } from '../../src/test/make';

const program = '/opt/countersign/countersign';
const json = (key: string, more = '') =>
  `{\n  "${key}": {\n    "countersign": {\n      "command": "${program}",\n      "args": ["mcp", "--workspace", "/home/you/src/dispatchd"]${more}\n    }\n  }\n}\n`;
const here = (name: string, place: string, fragment: string) => ({
  id: name,
  name,
  place,
  fragment,
  language: 'json',
  path: `/home/you/src/dispatchd/${place}`,
  user: false,
});

/** Several clients and callers, as on an ordinary day. */
export const connects: ConnectView = {
  clients: [
    client({
      ...here('Claude Code', '.mcp.json', json('mcpServers', ',\n      "timeout": 86400000')),
      command: `cd /home/you/src/dispatchd && claude mcp add countersign -- ${program} mcp --workspace /home/you/src/dispatchd`,
      state: 'current',
      sessions: 1,
      limit: 'A call may wait for a day.',
    }),
    client({ state: 'differs', sessions: 1 }),
    client({ ...here('VS Code', '.vscode/mcp.json', json('servers')), limit: '' }),
    client({
      ...here('Any other MCP client', '', ''),
      command: `${program} mcp --workspace /home/you/src/dispatchd`,
      state: 'none',
      limit: '',
    }),
  ],
  callers: [
    caller({
      sessionId: 's1',
      name: 'Claude Code',
      version: '2.1.332',
      title: 'Dependency upgrade, November',
      through: 'stdio, process 51022',
      since: before(4320),
      calls: 64,
      denied: 1,
      waiting: 0,
    }),
    caller(),
  ],
};

export const connectPlans: Record<string, ClientPlan> = { codex: clientPlan({ state: 'differs' }) };

const deep = `/home/you/${'a very long folder name/'.repeat(12)}x`;

/** What is hard to show: hidden characters, long paths, files that are not ours to write. */
export const oddConnects: ConnectView = {
  clients: [
    client({
      ...here('Claude Code', '.mcp.json', ''),
      state: 'none',
      trouble:
        'A path here holds ${, which Claude Code would replace by something else. Give the folder another name, or reach it by a link without that.',
    }),
    client({
      fragment: `[mcp_servers.countersign]\ncommand = "${deep}"\nargs = ["mcp", "--home", "/home/you/\u202egnp.home\u200b"]\ntool_timeout_sec = 86400\n`,
      state: 'unreadable',
      trouble: 'The file is not valid TOML, so nothing is put into it. Mend it, or paste the text below by hand.',
    }),
    client({ ...here('opencode', `${'deep/'.repeat(30)}opencode.json`, json('mcp')), linkedTo: deep }),
  ],
  callers: [
    caller({
      name: `An agent with a name that goes on ${'and on '.repeat(12)}\u202e`,
      version: '0.0.0-nightly.20261130',
      title: 'A title '.repeat(20),
      workspace: deep,
      waiting: 12,
      calls: 123_456,
      denied: 1_234,
    }),
    caller({ sessionId: 's9', name: 'MCP client', version: '', through: 'stdio', calls: 0, waiting: 0, lastCall: '' }),
  ],
};
