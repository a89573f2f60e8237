import { expect, it } from 'vitest';

import { actsOnFile } from './tools';

it('draws what a tool of files acts on as a path, and a pattern or a command as it is', () => {
  expect(['read', 'write', 'edit'].map(actsOnFile)).toEqual([true, true, true]);
  expect(['grep', 'glob', 'math.calculate', 'read.other', ''].map(actsOnFile)).toEqual(Array(5).fill(false));
});
