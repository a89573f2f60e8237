// The worlds that the page is looked at in, by name.
import type { World } from '../../src/lib/bridge/fake';
import { before, card, desk, diff, pathRules, pathVerdict, session, settingsView } from '../../src/test/make';
import { absurdAnswers, answers } from './answers';
import { command, created, edit, external, goDiff, hiding, outside, revealed } from './cards';
import { changes } from './changes';
import { commands } from './commands';
import { connectPlans, connects } from './connects';
import { details, sessions, timeline } from './desk';
import { goFile } from './files';
import { images } from './images';
import { hostile, many, painting, waiting } from './load';
import { long } from './long';
import { odd } from './odd';
import { oddOutputs, outputs } from './outputs';
import { past } from './past';
import { grants, trust } from './rules';
import { printed, running } from './running';
import { drifts, sets, tries } from './tools';

/** A desk at work. */
const full = (): World => ({
  connect: connects,
  plans: connectPlans,
  snapshot: {
    desk: desk({ processes: 2 }),
    sessions,
    approvals: [command, outside, edit, created, external, hiding].map((one) => one.row),
    trust: [trust],
  },
  cards: [command, outside, edit, created, external, hiding],
  views: sessions.map((one) => ({
    session: one,
    items: one.id === 's1' ? timeline : [],
    before: '',
    after: '',
    seq: '1',
  })),
  details,
  files: { 'internal/dispatch/retry_backoff_policy.go': goFile(140) },
  trusts: [
    { root: '/home/you/src/dispatchd', answer: 'yes', at: before(80_000) },
    { root: '/home/you/Downloads/some-repository', answer: 'no', at: before(300_000) },
  ],
  tools: sets,
  drifts,
  tries,
  catalog: { stale: true },
  settings: settingsView({ unknown: ['zoom'] }),
  revealed: { a5: revealed },
  grants,
  pathRules: pathRules(),
  pathVerdict: () => pathVerdict(),
  history: past,
  outputs: outputs(),
  processes: running(),
  printed,
});

/** A desk on which nothing happened. */
const empty = (): World => ({
  snapshot: { desk: desk({ callers: [] }), sessions: [], approvals: [], trust: [] },
  cards: [],
  views: [],
  details: [],
  trusts: [],
  tools: [],
  settings: settingsView(),
});

/** Settings that are not what they should be. */
const broken = (): World => ({
  snapshot: {
    desk: desk({ callers: [], profile: 'strict', readOnly: true }),
    sessions: [],
    approvals: [],
    trust: [],
  },
  cards: [],
  views: [],
  details: [],
  trusts: [],
  tools: sets,
  settings: settingsView({
    fault: 'the value of "preset" must be default, edit, review, audit or full',
    differs: ['catalog', 'allowedDomains'],
    unknown: ['zoom', 'x'.repeat(300)],
    unknownSets: ['codeing'],
  }),
});

/** A change far down in a file. */
function far(): World {
  const deep = goDiff.replace(
    /^@@ -(\d+)(.*) \+(\d+)/gm,
    (_, old, count, now) => `@@ -${+old + 123_000}${count} +${+now + 123_000}`,
  );
  const one = card({}, { diffs: [diff({ unified: deep, additions: 7, deletions: 4 })] });
  return {
    snapshot: { desk: desk(), sessions: [session()], approvals: [one.row], trust: [] },
    ...{ cards: [one], views: [], details: [], trusts: [], tools: [] },
  };
}

const worlds: Record<string, () => World> = {
  full,
  empty,
  commands,
  broken,
  answers,
  absurdAnswers,
  far,
  odd,
  long,
  changes,
  many,
  painting,
  waiting,
  hostile,
  images,
  outputs: oddOutputs,
};

/** The world of a scene by its name; an unknown one is the full one. */
export function scene(name: string): World {
  return (worlds[name] ?? worlds.full!)();
}
