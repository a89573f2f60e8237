import { describe, expect, it } from 'vitest';

import type { ChangeField } from '../bridge/dto';
import { composed, draftOf, draftsFrom, faultOf, keepsMarkers, membersOf } from './draft';

const field = (name: string, kind: string, value = '', over: Partial<ChangeField> = {}): ChangeField => ({
  name,
  kind,
  value,
  given: value !== '',
  required: false,
  type: '',
  limits: [],
  description: '',
  choices: [],
  ...over,
});

const fields = [
  field('command', 'text', '"npm test\\nnpm \\"x\\""'),
  field('timeout_ms', 'number', '12345678901234567890'),
  field('ratio', 'number', '1.50'),
  field('append', 'boolean'),
  field('mode', 'choice', '"b"', { choices: ['"a"', '"b"'] }),
  field('todos', 'json', '[{"id":1.0}]'),
];

describe('the arguments in the form', () => {
  it('come out as they went in, to the digit', () => {
    const text = composed(fields.map((one) => draftOf(one)));
    expect(membersOf(text)).toEqual(
      new Map([
        ['command', '"npm test\\nnpm \\"x\\""'],
        ['timeout_ms', '12345678901234567890'],
        ['ratio', '1.50'],
        ['mode', '"b"'],
        ['todos', '[{"id":1.0}]'],
      ]),
    );
    expect(composed([])).toBe('{}');
  });

  it('are read from raw JSON, where each value is written in its way', () => {
    const drafts = draftsFrom(fields, '{ "timeout_ms" : "soon", "append":true,"new":{"a":[1,"}"]},"mode":"c" }');
    expect(drafts?.map(({ field, given, text }) => [field.name, field.kind, given, text])).toEqual([
      ['command', 'text', false, ''],
      ['timeout_ms', 'json', true, '"soon"'],
      ['ratio', 'number', false, '0'],
      ['append', 'boolean', true, 'true'],
      ['mode', 'json', true, '"c"'],
      ['todos', 'json', false, ''],
      ['new', 'json', true, '{"a":[1,"}"]}'],
    ]);
  });

  it('are not made of what the form could not show whole', () => {
    for (const text of ['', '[1]', '"a"', 'null', '{"a":1', '{"a":1,"a":2}'])
      expect(draftsFrom(fields, text)).toBeNull();
  });

  it('say what cannot be read before anything is sent', () => {
    expect(faultOf({ ...draftOf(fields[1] as ChangeField), text: '5 000' })).toContain('is not a number');
    expect(faultOf({ ...draftOf(fields[5] as ChangeField), text: '[1,' })).toContain('is not JSON');
    expect(faultOf({ ...draftOf(fields[5] as ChangeField), text: '[1,', given: false })).toBe('');
    expect(faultOf({ ...draftOf(fields[0] as ChangeField), text: '[1,' })).toBe('');
  });
});

describe('the markers of hidden pieces', () => {
  const marker = '[redacted:7f3a:';
  const text = `curl -u me:${marker}1] -H x:${marker}2] https://a`;

  it('stay whole while the text around them is changed', () => {
    expect(keepsMarkers(text, text.replace('https://a', 'https://b'), marker)).toBe(true);
    expect(keepsMarkers(text, text.replace(`${marker}1]`, ''), marker)).toBe(false);
    expect(keepsMarkers(text, text.replace('1]', '1'), marker)).toBe(false);
    expect(keepsMarkers(text, `${text}${marker}1]`, marker)).toBe(false);
    expect(keepsMarkers('a', 'b', marker)).toBe(true);
    expect(keepsMarkers('[redacted]', '', '')).toBe(true);
  });
});
