import type { FieldRow, SetRow, Standing, ToolRow } from '../../lib/bridge/dto';
import { classOf } from './approval';

export const field = (over: Partial<FieldRow> = {}): FieldRow => ({
  name: 'file_path',
  depth: 0,
  type: 'text',
  required: true,
  default: '',
  choices: [],
  limits: ['1 to 4,096 characters'],
  description: 'Path of the file, absolute or from the workspace.',
  ...over,
});

export const standing = (over: Partial<Standing> = {}): Standing => ({
  answer: 'ask',
  short: 'Asks',
  words: 'It asks you, and you can allow it for the session.',
  why: [
    {
      layer: 'preset',
      verdict: 'ask',
      text: 'Preset Default asks before every write to the workspace; preset Edit would let it run.',
      setting: 'presets',
    },
  ],
  ...over,
});

export const runs = (): Standing =>
  standing({
    answer: 'allow',
    short: 'Runs',
    words: 'It runs without a question.',
    why: [{ layer: 'preset', verdict: 'allow', text: 'Preset Default runs what only reads.', setting: 'presets' }],
  });

export const tool = (over: Partial<ToolRow> = {}): ToolRow => ({
  id: 'write',
  wire: 'write',
  version: '1',
  description: 'Writes a whole file. A file that exists must have been read in this session first.',
  catalogs: ['work'],
  does: 'Writes',
  class: classOf(),
  modelBytes: '51200',
  modelLines: '2000',
  declared: 'By preset',
  standing: standing(),
  fields: [
    field(),
    field({ name: 'content', limits: ['at most 2,097,152 characters'], description: 'The whole new content.' }),
  ],
  schema: '{\n  "type": "object",\n  "required": [\n    "file_path",\n    "content"\n  ]\n}',
  calls: '41',
  failedAt: '',
  failedWords: '',
  available: true,
  reason: '',
  runs: [],
  ...over,
});

export const toolSet = (over: Partial<SetRow> = {}): SetRow => ({
  key: `${over.source ?? 'builtin'}/${over.name ?? 'coding'}`,
  name: 'coding',
  source: 'builtin',
  origin: 'built in',
  enabled: true,
  status: 'loaded',
  words: 'Read, change and search files; run commands.',
  switchable: true,
  folder: '',
  manifest: '',
  hides: '',
  hiddenBy: '',
  changed: false,
  notes: [],
  calls: '1204',
  tools: [tool()],
  ...over,
});
