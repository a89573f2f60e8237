// The tool sets of the full scene.
import { before, classOf, field, runs, standing, tool, toolSet } from '../../src/test/make';

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
];
