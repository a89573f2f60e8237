import type { GrantRow, PathRules, PathVerdict, SettingsView } from '../../lib/bridge/dto';
import { before, desk } from './desk';

const kinds = [
  ['read', 'Workspace reads'],
  ['edit', 'Workspace edits'],
  ['command', 'Commands'],
  ['outside', 'Outside'],
  ['network', 'Network'],
] as const;

const row = (key: string, value: string, range: string, standard: string, sentence = 'It does something.') => ({
  key,
  sentence,
  range,
  default: standard,
  value,
  given: false,
});

export const settingsView = (over: Partial<SettingsView> = {}): SettingsView => ({
  file: '/home/you/.countersign/config.json',
  fault: '',
  differs: [],
  unknown: [],
  unknownSets: [],
  fields: [
    row('preset', '"default"', 'default, edit, review, audit or full', 'default'),
    row('catalog', '"work"', 'plan or work', 'work'),
    row('profile', '"desktop"', 'desktop or strict', 'desktop'),
    row('readOnly', 'false', 'true or false', 'false'),
    row('toolSets', '["coding","exact"]', 'a list of set names', 'coding, planning, exact, git, desktop'),
    row(
      'externalTools',
      'true',
      'true or false',
      'true',
      'Whether tool sets of yours and of the workspace are looked for at all.',
    ),
    row(
      'externalToolApproval',
      '{"home":"author","project":"host"}',
      '{home, project}, each author or host',
      'home: author, project: host',
      'Whether the author of a tool set may say that its ordinary calls need no question, for sets of your home and of the project; host leaves that to the preset.',
    ),
    row(
      'crystalTools',
      'true',
      'true or false',
      'true',
      'Whether the tool sets made for Crystal are looked for too, in its folders.',
    ),
    row('allowedDomains', '[]', 'a list of host names, such as api.example.com, without address or port', 'none'),
    row('theme', '"system"', 'system, light or dark', 'system'),
    row('hooks', '{}', '{beforeCall, afterResult}, each a list of {name, run}', 'none'),
    row('notifications', '"on"', 'on, sound or off', 'on'),
    row(
      'maxHoldSeconds',
      '0',
      'a whole number from 0 to 86400',
      '0',
      'How long a calling program is held while a person decides; 0 sets no limit.',
    ),
    row(
      'unusedGrantDays',
      '30',
      'a whole number from 0 to 3650',
      '30',
      'After how many days without use a grant for a workspace is taken back; 0 keeps it.',
    ),
    row(
      'resultNotes',
      '[]',
      'a list of {glob, mustStartWith, note}',
      'none',
      'Notes for the agent about new files that do not begin as they should.',
    ),
  ],
  kinds: kinds.map(([value, label]) => ({ value, label, words: `${label}.` })),
  presets: desk().presets.map((one, i) => ({
    ...one,
    answers: ['allow', i === 0 ? 'ask' : one.value === 'audit' ? 'review' : 'allow', 'restrict', 'insist', 'once'],
  })),
  profiles: [
    { value: 'desktop', label: 'Desktop', words: 'Asks you about code, paths outside and hosts. Looser than Strict.' },
    { value: 'strict', label: 'Strict', words: 'Denies all of that without asking.' },
  ],
  ...over,
});

export const grant = (over: Partial<GrantRow> = {}): GrantRow => ({
  id: 'g1',
  life: 'workspace',
  toolId: 'bash',
  verb: 'Runs commands that begin with',
  subject: 'git log',
  isPath: false,
  words: 'Not with redirects, outside the workspace, or with options that do something else.',
  key: 'bash git log *',
  state: 'live',
  why: '',
  workspace: '/home/you/src/dispatchd',
  by: 'you',
  sessionId: 's1',
  session: 'Retry backoff for the dispatcher',
  caller: 'Built-in agent',
  callId: 'c7',
  at: before(3_600),
  usedAt: before(12),
  uses: '104',
  expiresAt: '',
  sweptAt: before(-2_591_988),
  endedAt: '',
  ...over,
});

export const pathRules = (): PathRules => ({
  workspace: '/home/you/src/dispatchd',
  groups: [
    {
      kind: 'blocked',
      label: 'Blocked',
      words: 'Writing is denied, whatever was allowed. Nobody is asked.',
      rows: [
        {
          words: 'Is code that git runs by itself',
          patterns: [
            { id: 'git-hooks', text: '.git/**/hooks/', except: [], example: '/w/.git/hooks/pre-commit', systems: '' },
          ],
        },
      ],
    },
    {
      kind: 'credential',
      label: 'Secrets',
      words: 'Reading and writing ask you each time, once only. Profile Strict denies both.',
      rows: [
        {
          words: 'Holds private keys',
          patterns: [
            { id: 'ssh', text: '.ssh/', except: [], example: '/home/u/.ssh/config', systems: '' },
            { id: 'id-rsa', text: 'id_rsa*', except: ['*.pub'], example: '/w/id_rsa', systems: '' },
          ],
        },
        {
          words: 'Holds passwords or tokens',
          patterns: [
            { id: 'env', text: '.env*', except: ['.env.example'], example: '/w/sub/.env.production', systems: '' },
          ],
        },
      ],
    },
    {
      kind: 'protected',
      label: 'Protected from writing',
      words: 'Writing asks you each time, once only. Reading is as anywhere else.',
      rows: [
        {
          words: 'Belongs to the operating system',
          patterns: [{ id: 'etc', text: '/etc/', except: [], example: '/etc/hosts', systems: 'Linux, macOS' }],
        },
      ],
    },
  ],
});

export const pathVerdict = (over: Partial<PathVerdict> = {}): PathVerdict => {
  const answer = {
    answer: 'restrict',
    hold: 'restricted',
    is: 'Holds passwords or tokens',
    short: 'Always asks',
    words: 'It always asks you, once only, whatever the preset.',
    why: [{ layer: 'paths', verdict: 'ask', text: '"src/.env" holds passwords or tokens.', setting: '' }],
  };
  return {
    path: '/home/you/src/dispatchd/src/.env',
    where: 'Inside the workspace',
    read: answer,
    write: answer,
    ...over,
  };
};
