// The tool sets of the full scene.
import type { ChangeField } from '../../src/lib/bridge/dto';
import { before, classOf, diff, field, runs, standing, tool, toolSet } from '../../src/test/make';

const off = standing({
  answer: 'off',
  short: 'Off',
  words: 'It is refused: the set is off.',
  why: [
    {
      layer: 'set',
      verdict: 'deny',
      text: 'The set is off, so its tools are offered to nobody and every call of them is refused.',
      setting: 'toolSets',
    },
  ],
});
const reads = classOf({ sideEffect: 'Reads the workspace', risk: 'low', parallel: true });
const both = ['plan', 'work'];

export const sets = [
  toolSet({
    tools: [
      tool({ id: 'read', wire: 'read', catalogs: both, does: 'Reads', class: reads, standing: runs(), calls: '611' }),
      tool(),
      tool({
        id: 'grep',
        wire: 'grep',
        catalogs: both,
        does: 'Reads',
        class: reads,
        standing: runs(),
        available: false,
        reason: 'ripgrep is missing. Install it, or put rg beside the program.',
        calls: '176',
      }),
      tool({ id: 'glob', wire: 'glob', catalogs: both, does: 'Reads', class: reads, standing: runs(), calls: '64' }),
    ],
  }),
  toolSet({
    name: 'exact',
    words: 'Exact arithmetic and the time.',
    calls: '37',
    tools: [
      tool({
        id: 'math.calculate',
        wire: 'math_calculate',
        catalogs: both,
        does: 'No effect',
        standing: runs(),
        class: classOf({ sideEffect: 'Changes nothing', risk: 'low' }),
        calls: '28',
        failedAt: before(4_000),
        failedWords: 'Failed',
      }),
      tool({
        id: 'system.current_time',
        wire: 'system_current_time',
        catalogs: both,
        does: 'No effect',
        standing: runs(),
        class: classOf({ sideEffect: 'Changes nothing', risk: 'low' }),
        calls: '9',
      }),
    ],
  }),
  toolSet({
    name: 'demo',
    enabled: false,
    status: 'disabled',
    words: 'Writes to a pretended service, to try approvals.',
    calls: '0',
    tools: [
      tool({
        id: 'demo.external_write',
        wire: 'demo_external_write',
        does: 'External',
        class: classOf({
          sideEffect: 'Changes something outside this machine',
          risk: 'high',
          scopes: ['demo.write'],
          idempotency: 'Repeating does it again',
        }),
        standing: off,
        calls: '0',
        fields: [
          field({
            name: 'environment',
            type: 'one of 3',
            choices: ['dev', 'staging', 'production'],
            limits: [],
            description: 'Where it goes.',
          }),
          field({
            name: 'steps',
            type: 'list of groups of fields',
            limits: ['1 to 50 entries'],
            description: 'What to do, in order.',
          }),
          field({ name: 'name', depth: 1, description: 'Name of the step.' }),
          field({ name: 'retry', depth: 1, type: 'group of fields', required: false, limits: [], description: '' }),
          field({
            name: 'max_wait_seconds',
            depth: 2,
            type: 'whole number',
            required: false,
            limits: ['5 to 900'],
            default: '300',
            description: 'How long to wait for health.',
          }),
        ],
      }),
    ],
  }),
  toolSet({
    key: 'project/.countersign/Acme.Tools',
    name: 'Acme.Tools',
    source: 'project',
    origin: 'project',
    words: '',
    folder: '.countersign/tools/Acme.Tools',
    manifest: '/home/me/dispatchd/.countersign/tools/Acme.Tools/tools.json',
    hides: 'home',
    calls: '37',
    tools: [
      tool({
        id: 'deploy',
        wire: 'deploy',
        version: '1.0.0',
        does: 'Runs code',
        description: 'Deploys one service to a named environment and waits until its health check passes.',
        declared: 'Inherits',
        class: classOf({ sideEffect: 'Runs code', risk: 'high', outputTrust: 'Outside, not trusted' }),
        calls: '9',
        runs: ['bin/acme-deploy-cli', 'deploy', '--wait'],
        fields: [
          field({ name: 'service', description: 'Name of the service.' }),
          field({
            name: 'environment',
            type: 'one of 3',
            choices: ['dev', 'staging', 'production'],
            limits: [],
            description: 'Where it goes.',
          }),
          field({ name: 'git_ref', required: false, description: 'Commit or tag.', default: '"HEAD"' }),
          field({
            name: 'max_wait_seconds',
            type: 'whole number',
            required: false,
            limits: ['5 to 900'],
            description: '',
          }),
        ],
      }),
      tool({
        id: 'release_notes',
        wire: 'release_notes',
        catalogs: both,
        does: 'Runs code',
        description: 'Collects the notes since a tag.',
        declared: 'Always',
        standing: runs(),
        class: classOf({ sideEffect: 'Runs code', risk: 'high' }),
        calls: '28',
        failedAt: before(900),
        failedWords: 'Timed out',
      }),
    ],
  }),
  toolSet({
    key: 'home/.countersign/changed-set',
    name: 'changed-set',
    source: 'home',
    origin: 'home',
    words: '',
    folder: '~/.countersign/tools/changed-set',
    manifest: '/home/me/.countersign/tools/changed-set/tools.json',
    changed: true,
    calls: '4',
    tools: [tool({ id: 'inventory', wire: 'inventory', does: 'Runs code', declared: 'Inherits', calls: '4' })],
  }),
  toolSet({
    key: 'home/.countersign/Acme.Tools',
    name: 'Acme.Tools',
    source: 'home',
    origin: 'home',
    words: '',
    status: 'hidden',
    switchable: false,
    folder: '~/.countersign/tools/Acme.Tools',
    manifest: '/home/me/.countersign/tools/Acme.Tools/tools.json',
    hiddenBy: 'project',
    calls: '0',
    tools: [],
  }),
  toolSet({
    key: 'home/.crystal/acme-legacy',
    name: 'acme-legacy',
    source: 'home',
    origin: 'home',
    words: '',
    status: 'skipped',
    switchable: false,
    folder: '~/.crystal/tools/acme-legacy',
    manifest: '/home/me/.crystal/tools/acme-legacy/tools.json',
    notes: [
      {
        field: 'pathArguments',
        text: 'tools.json: "pathArguments" names "target", which no property declares. Write the name of a property of the schema.',
      },
    ],
    calls: '0',
    tools: [],
  }),
];

export const drifts = {
  'home/.countersign/changed-set': {
    fingerprint: 'f'.repeat(64),
    same: false,
    since: before(86_400),
    diffs: [
      diff({
        path: 'tools.json',
        unified:
          '--- a/tools.json\n+++ b/tools.json\n@@ -1,6 +1,7 @@\n {\n   "runner": "exec",\n+  "approval": "always",\n   "description": "Lists the inventory.",\n-  "command": ["bin/inventory"],\n+  "command": ["bin/inventory", "--all"],\n   "schema": { "type": "object" }\n }\n',
        additions: 2,
        deletions: 1,
      }),
    ],
    programs: [
      {
        name: 'bin/inventory',
        wasPath: '/home/me/.countersign/tools/changed-set/bin/inventory',
        nowPath: '/home/me/.countersign/tools/changed-set/bin/inventory',
        wasHash: '3fa91c0b77d2',
        nowHash: '8812ab9fe0c4',
      },
    ],
  },
};

const tried = (fields: Partial<ChangeField>[]) => ({
  text: '{}',
  fields: fields.map((one) => ({
    ...{ name: '', kind: 'text', given: false, value: '', required: true, type: 'text', limits: [], description: '' },
    ...{ choices: [], ...one },
  })),
});

export const tries = {
  deploy: tried([
    { name: 'service', description: 'Name of the service.' },
    {
      name: 'environment',
      kind: 'choice',
      type: 'one of 3',
      choices: ['"dev"', '"staging"', '"production"'],
      description: 'Where it goes.',
    },
    { name: 'git_ref', required: false, description: 'Commit or tag.' },
    { name: 'max_wait_seconds', kind: 'number', type: 'whole number', required: false, limits: ['5 to 900'] },
  ]),
  write: tried([{ name: 'file_path' }, { name: 'content' }]),
};
