import type { CallDetail, RunRow } from '../../src/lib/bridge/dto';
import type { Printing } from '../../src/lib/bridge/fakeprocess';
import { before, callRow, process, textPart } from '../../src/test/make';

const esc = '\u001b';
const colour = (code: string, text: string) => `${esc}[${code}m${text}${esc}[0m`;

const vite = [
  '',
  `  ${colour('32;1', 'VITE v8.3.8')}  ${colour('2', 'ready in')} ${colour('1', '431')} ms`,
  '',
  `  ${colour('32', '➜')}  ${colour('1', 'Local')}:   ${colour('36', `${esc}]8;;http://localhost:5173/${esc}\\http://localhost:${colour('1', '5173')}/${esc}]8;;${esc}\\`)}`,
  `  ${colour('32', '➜')}  ${colour('2', 'Network: use')} ${colour('1', '--host')} ${colour('2', 'to expose')}`,
  ...Array.from({ length: 90 }, (_, i) => [
    `${colour('2', '14:03:11')} ${colour('36;1', '[vite]')} ${colour('32', 'hmr update')} ${colour('2', `/src/lib/part_${i}.ts`)}`,
    ...(i % 20 === 19
      ? [
          `${colour('2', '14:03:12')} ${colour('31;1', '[vite]')} ${colour('31', `Failed to parse /src/lib/part_${i}.ts`)}`,
          `${colour('97;41', ' ERROR ')} Unexpected token (${colour('33', `${i}:12`)})`,
        ]
      : []),
  ]).flat(),
  '',
].join('\n');

const tests = [
  `${colour('30;46', ' RUN ')} v4.1.12`,
  ` ${colour('32', '✓')} src/dispatch.test.ts ${colour('2', '(14 tests)')}`,
  ` ${colour('31', '✗')} src/claim.test.ts ${colour('2', '(3 tests | 1 failed)')}`,
  `${colour('30;41', ' FAIL ')} claimed twice: job 7f3a`,
  '',
].join('\n');

/** A process that uses a part of a processor, steadily. */
function busy(one: Printing, share: number): Printing {
  Object.defineProperty(one.row, 'cpuMs', { enumerable: true, get: () => String(Math.round(Date.now() * share)) });
  return one;
}

/** A server, a watcher, and some that have ended. */
export const running = (): Printing[] => [
  busy(
    {
      row: process({ id: 'p3', lines: '97', logPath: '/home/you/.countersign/output/s1/p3.log' }),
      printed: vite,
      answers: (input) => `${colour('2', '>')} ${input}${colour('32', 'restarted')}\n`,
    },
    0.123,
  ),
  {
    row: process({
      sessionId: 's2',
      id: 'p1',
      title: 'Release 2.15 checklist',
      command: 'go test ./... -count=1 2>&1 | tee test.log',
      statusWords: 'Running, moved here by its time limit',
      startedAt: before(9_480),
      count: 12,
      memoryBytes: String(1_300 * 1024 * 1024),
      input: false,
      fixed: 'It reads from nothing, as every command that is waited for.',
      pid: '40007',
    }),
    printed: '?   \tdispatchd/cmd\t[no test files]\nok  \tdispatchd/internal/dispatch\t4.071s\n',
  },
  {
    row: process({
      id: 'p2',
      command: 'npm run test:watch',
      status: 'exited',
      statusWords: 'Exited with code 1',
      failed: true,
      startedAt: before(800),
      endedAt: before(420),
      measured: false,
      input: false,
      stop: false,
      fixed: 'It has ended.',
    }),
    printed: tests,
  },
  {
    row: process({
      id: 'p1',
      command: 'python3 -m http.server 8000',
      status: 'stopped',
      statusWords: 'Stopped by you',
      startedAt: before(7_200),
      endedAt: before(4_000),
      measured: false,
      input: false,
      stop: false,
      fixed: 'It has ended.',
    }),
    printed: '',
  },
];

const endless = `node -e "${'console.log(1); '.repeat(400)}"`;

/** Hundreds of them, with commands and output that nobody wants to see. */
export const manyRunning = (): Printing[] => [
  {
    row: process({
      command: `${endless}\nrm -rf \u202egpj.exe\u200b`,
      title: 'A session title that goes on and on '.repeat(8),
      dir: `/home/you/${'a very long folder name/'.repeat(12)}x`,
      logPath: `/home/you/.countersign/output/${'deep/'.repeat(30)}p1.log`,
      count: 4_000,
      memoryBytes: String(98_000_000_000),
      lines: '9007199254740993',
      bytes: '900719925474099',
    }),
    printed: `${Array.from({ length: 3_000 }, (_, i) => `${i} ${colour(String(31 + (i % 6)), 'word '.repeat(i % 60))}`).join('\n')}\n${'\0'.repeat(40)}${'x'.repeat(9_000)}\n10 %\r20 %\r${esc}[K30 %`,
    lost: 'Some of what it printed could not be kept: the disk was full. Free some space; what it prints from now on is kept.',
  },
  ...Array.from({ length: 400 }, (_, i) => ({
    row: process({
      sessionId: `n${i % 60}`,
      id: `p${i + 2}`,
      title: `Session ${i % 60}`,
      command: i % 9 ? `sleep ${i}` : `${'very-long-argument '.repeat(i + 1)}`,
      startedAt: before(300 + i * 60),
      ...(i > 120
        ? {
            status: i % 3 ? 'exited' : 'failed',
            statusWords: i % 3 ? 'Exited with code 0' : 'Failed: ended with the program that kept it',
            failed: i % 3 === 0,
            endedAt: before(200 + i),
            measured: false,
          }
        : {}),
    }),
    printed: `line of ${i}\n`,
  })),
];

/** The program of a call. */
export const ran = (over: Partial<RunRow> = {}): RunRow => ({
  kind: 'command',
  sessionId: 's1',
  ending: 'Exit code 0',
  failed: false,
  dir: '/home/you/src/dispatchd',
  processId: '',
  logPath: '/home/you/.countersign/output/s1/bash.txt',
  ...over,
});

export const linting = callRow({
  id: 'c9',
  toolId: 'bash',
  verb: 'Run',
  subject: 'golangci-lint run ./internal/dispatch/...',
  state: 'running',
  figure: '',
  at: before(12),
  durationMs: '0',
  canStop: true,
});

export const served = callRow({
  id: 'c11',
  toolId: 'process',
  verb: 'Process start',
  subject: 'npm run dev',
  figure: 'p3 running',
  durationMs: '2000',
});

export const servedDetail: Partial<CallDetail> = {
  run: ran({ kind: 'process', ending: 'Went on as p3', processId: 'p3' }),
  read: [
    textPart(
      'Started p3 (pid 41232): npm run dev\ncwd /home/you/src/dispatchd\nFirst output (waited up to 2s):\n  VITE v8.3.8  ready in 431 ms',
    ),
  ],
  decidedBy: 'you',
  outputTrust: 'Outside, not trusted',
};

const goTest = [
  ...Array.from(
    { length: 40 },
    (_, i) => `=== RUN   TestRetryBackoff/case_${i}\n    ${colour('32', '--- PASS')}: (0.00s)`,
  ),
  `=== RUN   TestClaimRace`,
  colour('31;1', '--- FAIL: TestClaimRace (0.41s)'),
  `    ${colour('2', 'claim_test.go:88:')} claimed twice: job ${colour('33', '7f3a')}`,
  `${colour('97;41', ' FAIL ')} dispatchd/internal/dispatch  4.071s`,
  'exit status 1',
  '',
].join('\n');

/** What the commands of the calls print. */
export const printed: Record<string, { printed: string; running?: boolean }> = {
  c7: { printed: goTest },
  c9: {
    printed: `level=${colour('36', 'info')} msg="[loader] Go packages loading at mode 8767"\nlinting 10 %\rlinting ${colour('33', '64 %')}`,
    running: true,
  },
};

/** Output that nobody wants to see. */
export const absurd = `${'\0'.repeat(200)}\u202e${'x'.repeat(9_000)}\n${Array.from({ length: 2_000 }, (_, i) => `${i} ${colour(String(31 + (i % 6)), '<b>word</b> '.repeat(i % 30))}`).join('\n')}`;
